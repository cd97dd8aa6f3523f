// RUN: ocl-opt %S/../../../../examples/host/md/md.mlir -p 'ocl-print-reuse{sizes="A=12288,N=128" local_size=128}' 2>&1 >/dev/null | filecheck %s

// Serial work-items read one neighbour after the other from 128 places that are 12288 atoms apart;
// the next work-item finds their lines again.
// CHECK:      amd-cpu, serial, lines of 64 bytes
// CHECK-NEXT: kernel @ker, 128 work-items in a group
// CHECK:        n: reuse distance 127, 1 lines a step, steps 768 lines apart
// CHECK-NEXT: buffers
// CHECK-NEXT:   d_n: coalesced 31 -> continuous 0, %nN x %nA
