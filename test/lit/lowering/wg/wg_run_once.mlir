// RUN: ocl-opt %s -p wg-run-once | filecheck %s
// RUN: ocl-opt %s -p "wg-run-once{distinct=true}" | filecheck %s --check-prefix=DISTINCT
// RUN: ocl-opt %s -p wg-run-once --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each row of the group sums the tile and stores the same sums: the first one does it for all.
// REMARK: wg_run_once.mlir:[[# @LINE + 5]]:3: remark: work-items along y do the same: one runs [wg-run-once]
wg.func @rows(%t: !ocl.ptr<f32, local> {ocl.name = "t"}, %p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 16, 4, 1>} {
  %lx = arith.constant 16 : index
  %ly = arith.constant 4 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {
    %v = ocl.load %t[%x] : !ocl.ptr<f32, local>
    %s = arith.addf %v, %v : f32
    ocl.store %s, %p[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @rows
// CHECK:           wg.parallel (%x, %y, %z) in (%lx, %0, %one) {
// CHECK-NEXT:        %v = ocl.load %t[%x] : !ocl.ptr<f32, local>
// CHECK-NEXT:        %s = arith.addf %v, %v : f32
// CHECK-NEXT:        ocl.store %s, %p[%x] : !ocl.ptr<f32, global>
// CHECK-NEXT:      }

// What is stored may be loaded, unless the buffers are known to be distinct.
wg.func @copy(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}) attributes {local_size = array<i64: 16, 4, 1>} {
  %lx = arith.constant 16 : index
  %ly = arith.constant 4 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {
    %v = ocl.load %p : !ocl.ptr<f32, global>
    ocl.store %v, %q : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @copy
// CHECK:           wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {
// DISTINCT-LABEL: wg.func @copy
// DISTINCT:        wg.parallel (%x, %y, %z) in (%0, %0, %one) {

// The next work-item would load what this one stores.
wg.func @add(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 16, 4, 1>} {
  %lx = arith.constant 16 : index
  %ly = arith.constant 4 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {
    %v = ocl.load %p : !ocl.ptr<f32, global>
    %s = arith.addf %v, %v : f32
    ocl.store %s, %p : !ocl.ptr<f32, global>
  }
  wg.return
}

// DISTINCT-LABEL: wg.func @add
// DISTINCT:        wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {

// Each atomic addition counts.
wg.func @count(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 16, 4, 1>} {
  %lx = arith.constant 16 : index
  %ly = arith.constant 4 : index
  %one = arith.constant 1 : index
  %add = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {
    %old = ocl.atomic_rmw add %p, %add : !ocl.ptr<i32, global>
  }
  wg.return
}

// DISTINCT-LABEL: wg.func @count
// DISTINCT:        wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {

// Each volatile store is made.
wg.func @signal(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 16, 4, 1>} {
  %lx = arith.constant 16 : index
  %ly = arith.constant 4 : index
  %one = arith.constant 1 : index
  %v = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {
    ocl.store volatile %v, %p : !ocl.ptr<i32, global>
  }
  wg.return
}

// DISTINCT-LABEL: wg.func @signal
// DISTINCT:        wg.parallel (%x, %y, %z) in (%lx, %ly, %one) {
