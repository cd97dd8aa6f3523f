// RUN: ocl-opt %s -p "tta-join-loops{items=2}" | filecheck %s
// RUN: ocl-opt %s -p "tta-join-loops{items=4}" --remarks 2>&1 | filecheck %s --check-prefix=FOUR
// RUN: ocl-opt %s -p "tta-join-loops{items=4 registers=4}" --remarks 2>&1 | filecheck %s --check-prefix=FEW

// One loop adds the column of each work-item: two sums, and what is loaded from `s` once for both.
// Registers limit the number of work-items: each has its sum and its id in the loop.

// FOUR: loops joined for 4 work-items
// FEW-NOT: loops joined

// CHECK-LABEL: wg.func @columns
wg.func @columns(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %s: !ocl.ptr<f32, global> {ocl.name = "s"}, %m: i32 {ocl.name = "m"}) {
  %n = arith.index_cast %m : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: wg.parallel (%x, {{.*}}) in (%c8, %c1, %c1) step (2, 1, 1) {
  // CHECK: %sum, %{{.*}} = scf.for %k = %c0 to %n step %c1 iter_args(%{{.*}} = %zero, %{{.*}} = %zero) -> (f32, f32) {
  // CHECK-COUNT-1: ocl.load %s[%k]
  // CHECK-COUNT-2: arith.addf
  // CHECK: scf.yield %{{.*}}, %{{.*}} : f32, f32
  // CHECK-COUNT-2: ocl.store
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%sum_1 = %zero) -> (f32) {
      %at = arith.addi %k, %x : index
      %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
      %t = ocl.load %s[%k] : !ocl.ptr<f32, global>
      %p = arith.mulf %v, %t : f32
      %next = arith.addf %sum_1, %p : f32
      scf.yield %next : f32
    }
    ocl.store %sum, %a[%x] : !ocl.ptr<f32, global>
    wg.yield
  }
  // Each work-item runs this loop as often as its id says: it stays as it is.
  // CHECK: wg.parallel (%x_{{.*}}, {{.*}}) in (%c8, %c1, %c1) {
  // CHECK: scf.for %{{.*}} = %c0 to %x_
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    scf.for %k = %c0 to %x step %c1 {
      %v = ocl.load %s[%k] : !ocl.ptr<f32, global>
      ocl.store %v, %a[%x] : !ocl.ptr<f32, global>
    }
    wg.yield
  }
  wg.return
}
