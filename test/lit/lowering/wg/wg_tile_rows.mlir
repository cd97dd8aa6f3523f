// RUN: ocl-opt %s -p wg-tile-rows | filecheck %s
// RUN: ocl-opt %s -p wg-tile-rows --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A transpose, whose id in one dimension is divided into rows. If the width is a multiple of 16, and the
// launch one of 16 rows, the group is a tile of 16 x 16, which is somewhere else in the launch.
// REMARK: wg_tile_rows.mlir:[[# @LINE + 8]]:3: remark: in tiles of 16 x 16 work-items [wg-tile-rows]
wg.func @transpose(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %w: i32 {ocl.name = "w"}, %h: i32 {ocl.name = "h"}) attributes {local_size = array<i64: 256, 1, 1>} {
  %one = arith.constant 1 : index
  %n = arith.constant 256 : index
  %group = ocl.group_id 0 : index
  %begin = arith.muli %group, %n : index
  %offset = ocl.global_offset 0 : index
  %first = arith.addi %begin, %offset : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %id = arith.addi %first, %x : index
    %i = arith.index_cast %id : index to i32
    %column = arith.remsi %i, %w : i32
    %row = arith.divsi %i, %w : i32
    %v = ocl.load %in[%id] : !ocl.ptr<f32, global>
    %before = arith.muli %column, %h : i32
    %to = arith.addi %before, %row : i32
    %at = arith.index_cast %to : i32 to index
    ocl.store %v, %out[%at] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @transpose
// CHECK:         %[[COLUMNS:.*]] = arith.divui %{{.*}}, %c16 : index
// CHECK:         scf.if
// CHECK:           %[[PLACE_X:.*]] = arith.remui %{{.*}}, %{{.*}} : index
// CHECK:           %[[PLACE_Y:.*]] = arith.divui %{{.*}}, %{{.*}} : index
// CHECK:           wg.parallel
// CHECK-NEXT:        %column = arith.addi %{{.*}}, %x : index
// CHECK-NEXT:        %row = arith.addi %{{.*}}, %y : index
// CHECK-NOT:         arith.divsi
// CHECK:           } attributes {wg.spread}
// CHECK-NEXT:    } else {
// CHECK:           arith.divsi

// A copy is not a transpose: all is in rows.
// REMARK-NOT: remark
wg.func @copy(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %w: i32 {ocl.name = "w"}) attributes {local_size = array<i64: 256, 1, 1>} {
  %one = arith.constant 1 : index
  %n = arith.constant 256 : index
  %group = ocl.group_id 0 : index
  %begin = arith.muli %group, %n : index
  %offset = ocl.global_offset 0 : index
  %first = arith.addi %begin, %offset : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %id = arith.addi %first, %x : index
    %i = arith.index_cast %id : index to i32
    %row = arith.divsi %i, %w : i32
    %v = arith.sitofp %row : i32 to f32
    ocl.store %v, %out[%id] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @copy
// CHECK-NOT:     scf.if
