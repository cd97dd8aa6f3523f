// RUN: ocl-opt %S/../../../../examples/host/md/md.mlir -p ocl-print-aliases 2>&1 >/dev/null | filecheck %s --match-full-lines --strict-whitespace

// Table 2 of the PPOpenCL paper, for the program of its Figure 2; the scalars follow.
//      CHECK:host @md
// CHECK-NEXT:  Host Object  Kernel Object  Kernel Argument  Transfer Direction
// CHECK-NEXT:  h_f          d_f            ker (0th)        read
// CHECK-NEXT:  h_p          d_p            ker (1st)        write
// CHECK-NEXT:  h_n          d_n            ker (2nd)        write
// CHECK-NEXT:  nN           N              ker (3rd)        write
// CHECK-NEXT:  nA           A              ker (4th)        write
