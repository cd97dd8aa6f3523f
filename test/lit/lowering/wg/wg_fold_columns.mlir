// RUN: ocl-opt %s -p "wg-fold-columns{distinct=true small_buffers=true}" | filecheck %s
// RUN: ocl-opt %s -p "wg-fold-columns{distinct=true small_buffers=true}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Reading is in a row along x, writing along y. A work-item does four columns, whose elements are a row
// of its own: 16 bytes, which wg-read-rows loads at once.
// REMARK: wg_fold_columns.mlir:[[# @LINE + 6]]:3: remark: 4 columns in each work-item [wg-fold-columns]
wg.func @transpose(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %w: i32 {ocl.name = "w"}, %h: i32 {ocl.name = "h"}) attributes {local_size = array<i64: 16, 16, 1>} {
  %width = arith.index_cast %w : i32 to index
  %height = arith.index_cast %h : i32 to index
  %one = arith.constant 1 : index
  %n = arith.constant 16 : index
  wg.parallel (%x, %y, %z) in (%n, %n, %one) {
    %row = arith.muli %y, %width : index
    %from = arith.addi %row, %x : index
    %v = ocl.load %in[%from] : !ocl.ptr<f32, global>
    %column = arith.muli %x, %height : index
    %to = arith.addi %column, %y : index
    ocl.store %v, %out[%to] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @transpose
// CHECK:         arith.constant 4 : index
// CHECK:         wg.parallel (%x, %y, %z) in (%[[FOUR:.*]], %n, %one) {
// CHECK:           %[[FIRST:.*]] = arith.muli %x, %{{.*}} : index
// CHECK:           scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:        %[[X:.*]] = arith.addi %[[FIRST]], %[[K]] : index
// CHECK:             ocl.load %in
// CHECK-NEXT:        %column = arith.muli %[[X]], %height : index

// All that this one accesses is in a row along x.
// REMARK-NOT: remark
wg.func @copy(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %w: i32 {ocl.name = "w"}) attributes {local_size = array<i64: 16, 16, 1>} {
  %width = arith.index_cast %w : i32 to index
  %one = arith.constant 1 : index
  %n = arith.constant 16 : index
  wg.parallel (%x, %y, %z) in (%n, %n, %one) {
    %row = arith.muli %y, %width : index
    %at = arith.addi %row, %x : index
    %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%at] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @copy
// CHECK-NOT:     scf.for
