// RUN: ocl-opt %s -p "tta-mark-regions,wg-replicate" | filecheck %s

// Accesses of a region have its number, and copies for single work-items say which one they are
// for. What is loaded once for two work-items says nothing.

// CHECK-LABEL: wg.func @shift
wg.func @shift(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %s: !ocl.ptr<f32, global> {ocl.name = "s"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // CHECK: ocl.load %s : !ocl.ptr<f32, global>
  // CHECK: ocl.store %{{.*}}, %a[%{{.*}}] {wg.region = #builtin.int<0>, wg.item = #builtin.int<0>}
  // CHECK: ocl.store %{{.*}}, %a[%{{.*}}] {wg.region = #builtin.int<0>, wg.item = #builtin.int<1>}
  wg.parallel (%x, %y, %z) in (%c2, %c1, %c1) {
    %v = ocl.load %s : !ocl.ptr<f32, global>
    ocl.store %v, %a[%x] : !ocl.ptr<f32, global>
    wg.yield
  }
  // CHECK: ocl.load %a[%{{.*}}] {wg.region = #builtin.int<1>, wg.item = #builtin.int<0>}
  // CHECK: ocl.load %a[%{{.*}}] {wg.region = #builtin.int<1>, wg.item = #builtin.int<1>}
  wg.parallel (%x, %y, %z) in (%c2, %c1, %c1) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %s[%x] : !ocl.ptr<f32, global>
    wg.yield
  }
  // With a fence or an atomic, no number.
  // CHECK: ocl.store %{{.*}}, %s[%{{.*}}] : !ocl.ptr<f32, global>
  wg.parallel (%x, %y, %z) in (%c2, %c1, %c1) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.fence acq_rel local
    ocl.store %v, %s[%x] : !ocl.ptr<f32, global>
    wg.yield
  }
  wg.return
}
