// RUN: ocl-opt %S/../../../../examples/host/md/md.mlir -p ocl-data-layout | filecheck %s
// RUN: ocl-opt %S/../../../../examples/host/md/md.mlir -p 'ocl-data-layout{platform=nvidia-gpu}' | filecheck %s --check-prefix=GPU

// The program of Figure 2 of the PPOpenCL paper, for a CPU: the host's loops store neighbour j of
// atom i at i * nN + j, the kernel finds it at tid * N + j, and nothing is shuffled at run time.

// CHECK-LABEL: ocl.kernel @ker
// CHECK:         %atom = arith.index_cast %tid : index to i32
// CHECK:         scf.for %j =
// CHECK-NEXT:      [[ROW:%.*]] = arith.muli %atom, %N : i32
// CHECK-NEXT:      [[SUM:%.*]] = arith.addi [[ROW]], %j : i32
// CHECK-NEXT:      [[AT:%.*]] = arith.index_cast [[SUM]] : i32 to index
// CHECK-NEXT:      %neighbour = ocl.load %n[[[AT]]]

// CHECK-LABEL: func.func @md
// CHECK:         scf.for %i =
// CHECK-NEXT:      scf.for %j =
// CHECK:             memref.load %neighborIter
// CHECK-NEXT:        [[ROW:%.*]] = arith.muli %i, %nN : index
// CHECK-NEXT:        [[AT:%.*]] = arith.addi %j, [[ROW]] : index
// CHECK-NEXT:        memref.store %neighbour, %h_n[[[AT]]]
// CHECK-NOT:     host.transpose
// CHECK:         host.write %h_n to %d_n
// CHECK-NOT:     host.transpose
// CHECK:         host.launch @ker

// GPU-LABEL: ocl.kernel @ker
// GPU:         %place = arith.index_cast %at
// GPU-NEXT:    %neighbour = ocl.load %n[%place]
