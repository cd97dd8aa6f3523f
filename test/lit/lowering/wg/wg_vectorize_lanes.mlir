// RUN: ocl-opt %s -p wg-vectorize | filecheck %s
// RUN: ocl-opt %s -p wg-vectorize --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK
// RUN: ocl-opt %s -p "wg-vectorize{both=true}" | filecheck %s --check-prefix BOTH

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

// A part of a group whose loop each work-item leaves elsewhere, as data say: with `both` it has both forms, which are
// measured if the part has work-items at all.
// CHECK-LABEL: wg.func @part
// CHECK-NOT:     wg.choose
// CHECK:         step (16, 1, 1)
// BOTH-LABEL:  wg.func @part
// BOTH:          %[[SOME:.*]] = arith.cmpi ne, %count, %{{.*}} : index
// BOTH-NEXT:     scf.if %[[SOME]] {
// BOTH-NEXT:       %[[FIRST:.*]] = wg.choose 0
// BOTH-NEXT:       scf.if %[[FIRST]] {
// BOTH:              step (16, 1, 1)
// BOTH:            } else {
// BOTH-NEXT:         wg.parallel (%{{.*}}) in (%count, %{{.*}}, %{{.*}}) {
// BOTH:            wg.chosen %[[FIRST]]
wg.func @part(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %one = arith.constant 1 : index
  %m = arith.index_cast %n : i32 to index
  %64 = arith.constant 64 : index
  %count = arith.minui %m, %64 : index
  wg.parallel (%x, %y, %z) in (%count, %one, %one) {
    %first = ocl.load %p[%x] : !ocl.ptr<i32, global>
    %left = scf.while (%k = %first) : (i32) -> i32 {
      %zero = arith.constant 0 : i32
      %more = arith.cmpi sgt, %k, %zero : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %three = arith.constant 3 : i32
      %less = arith.subi %k, %three : i32
      scf.yield %less : i32
    }
    ocl.store %left, %p[%x] : !ocl.ptr<i32, global>
  } attributes {wg.lanes = array<i64: 16, 1, 1>}
  wg.return
}
