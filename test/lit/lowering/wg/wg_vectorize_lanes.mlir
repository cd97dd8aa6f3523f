// RUN: ocl-opt %s -p wg-vectorize | filecheck %s
// RUN: ocl-opt %s -p wg-vectorize --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// `wg.lanes` says for which work-items a vector is: for four along y, though neighbours along x are
// neighbours in memory. The size is a multiple of them, and need not be known: there is no rest.
// CHECK-LABEL: wg.func @told
// CHECK:         wg.parallel (%x, %y, %z) in (%nx, %size, %one) step (1, 4, 1) {
// CHECK:           wg.scatter
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.parallel (%x_1, %y_1, %z_1) in (%nx, %size, %one) {
// CHECK-NEXT:      ocl.store
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
wg.func @told(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %nx = ocl.local_size 0 : index
  %ny = ocl.local_size 1 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %size = arith.muli %ny, %four : index
  wg.parallel (%x, %y, %z) in (%nx, %size, %one) {
    %row = arith.muli %y, %nx : index
    %i = arith.addi %row, %x : index
    ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
  } attributes {wg.lanes = array<i64: 1, 4, 1>}
  // REMARK: [[# @LINE + 1]]:3: remark: not vectorised, as its attribute says [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%nx, %size, %one) {
    ocl.store %n, %p[%x] : !ocl.ptr<i32, global>
  } attributes {wg.lanes = array<i64: 1, 1, 1>}
  wg.return
}
