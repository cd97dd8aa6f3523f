// RUN: ocl-opt %s -p wg-unit-strides | filecheck %s
// RUN: ocl-opt %s -p wg-unit-strides --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Neighbours are as far apart as an argument says: where it is 1, they are adjacent.
// REMARK: wg_unit_strides.mlir:[[# @LINE + 4]]:3: remark: two versions: neighbours are adjacent in one [wg-unit-strides]
wg.func @scale(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %inc: i32 {ocl.name = "inc"}, %first: i32 {ocl.name = "first"}, %f: f32 {ocl.name = "f"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.index_cast %x : index to i32
    %far = arith.muli %i, %inc : i32
    %sum = arith.addi %far, %first : i32
    %at = arith.index_cast %sum : i32 to index
    ocl.store %f, %p[%at] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @scale
// CHECK:         [[ONE:%.*]] = arith.constant 1 : i32
// CHECK-NEXT:    [[UNIT:%.*]] = arith.cmpi eq, %inc, [[ONE]] : i32
// CHECK-NEXT:    scf.if [[UNIT]] {
// CHECK-NEXT:      wg.parallel
// CHECK-NEXT:        [[I:%.*]] = arith.index_cast {{.*}} : index to i32
// CHECK-NEXT:        arith.addi [[I]], %first : i32
// CHECK:         } else {
// CHECK-NEXT:      wg.parallel
// CHECK-NEXT:        arith.index_cast
// CHECK-NEXT:        arith.muli {{.*}}, %inc : i32

// The place of a row, in which a loop counts: a width is not 1.
wg.func @rows(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}, %f: f32 {ocl.name = "f"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %width = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %row = arith.muli %x, %width : index
    scf.for %k = %zero to %width step %one {
      %at = arith.addi %row, %k : index
      ocl.store %f, %p[%at] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}
// CHECK-LABEL: wg.func @rows
// CHECK-NOT:     scf.if

// What a loop counts times another argument, as the taps of a dilated convolution, is no element of such a row.
wg.func @taps(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %stride: i64 {ocl.name = "stride"}, %dilation: i64 {ocl.name = "dilation"}, %f: f32 {ocl.name = "f"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %s = arith.index_cast %stride : i64 to index
  %d = arith.index_cast %dilation : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %first = arith.muli %x, %s : index
    scf.for %k = %zero to %five step %one {
      %tap = arith.muli %k, %d : index
      %at = arith.addi %first, %tap : index
      ocl.store %f, %p[%at] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}
// CHECK-LABEL: wg.func @taps
// CHECK:         arith.cmpi eq, %stride
// CHECK-NEXT:    scf.if
// CHECK:           [[TAP:%.*]] = arith.muli %k, %d : index
// CHECK-NEXT:      arith.addi {{%x.*}}, [[TAP]] : index
// CHECK:         } else {
// CHECK:           arith.muli {{.*}}, %s : index

// A stride in bytes, as tensors have them, is that of elements where it is their size.
wg.func @tensor(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %stride: i64 {ocl.name = "stride"}, %first: i64 {ocl.name = "first"}, %f: f32 {ocl.name = "f"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %s = arith.index_cast %stride : i64 to index
  %row = arith.index_cast %first : i64 to index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %far = arith.muli %x, %s : index
    %begin = ocl.offset %p[%row] : !ocl.ptr<i8, global>
    %bytes = ocl.offset %begin[%far] : !ocl.ptr<i8, global>
    %element = ocl.cast %bytes : !ocl.ptr<i8, global> to !ocl.ptr<f32, global>
    ocl.store %f, %element : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @tensor
// CHECK:         [[SIZE:%.*]] = arith.constant 4 : i64
// CHECK-NEXT:    [[UNIT:%.*]] = arith.cmpi eq, %stride, [[SIZE]] : i64
// CHECK-NEXT:    scf.if [[UNIT]] {
// CHECK-NEXT:      wg.parallel
// CHECK-NEXT:        [[FOUR:%.*]] = arith.constant 4 : index
// CHECK-NEXT:        [[FAR:%.*]] = arith.muli {{%x.*}}, [[FOUR]] : index
// CHECK:             ocl.offset {{.*}}{{\[}}[[FAR]]]
// CHECK:         } else {
// CHECK:           arith.muli {{.*}}, %s : index

// A stride may be an element of a struct.
wg.func @info(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %info: !ocl.struct<"I", {strides: !ocl.array<2 x i64>}> {ocl.name = "info"}, %f: f32 {ocl.name = "f"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %stride = ocl.extract %info["strides"] at [0] : !ocl.struct<"I", {strides: !ocl.array<2 x i64>}> -> i64
  %s = arith.index_cast %stride : i64 to index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %at = arith.muli %x, %s : index
    ocl.store %f, %p[%at] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @info
// CHECK:         arith.cmpi eq, %stride
// CHECK-NEXT:    scf.if
// CHECK:           ocl.store %f, %p[%x]

// Ids of two dimensions times an argument, as the place of a pixel: there are versions for 3 and 4 channels, too,
// where all that asks for the number knows it.
// REMARK: wg_unit_strides.mlir:[[# @LINE + 9]]:3: remark: two versions: neighbours are adjacent in one [wg-unit-strides]
// REMARK: wg_unit_strides.mlir:[[# @LINE + 8]]:3: remark: version: pixels are 3 numbers [wg-unit-strides]
// REMARK: wg_unit_strides.mlir:[[# @LINE + 7]]:3: remark: version: pixels are 4 numbers [wg-unit-strides]
wg.func @pixels(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %w: i64 {ocl.name = "w"}, %channels: i32 {ocl.name = "channels"}, %v: i8 {ocl.name = "v"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %row = ocl.group_id 1 : index
  %c = arith.index_cast %channels : i32 to index
  %width = arith.index_cast %w : i64 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %left = arith.muli %row, %width : index
    %pixel = arith.addi %left, %x : index
    %first = arith.muli %pixel, %c : index
    %at = arith.addi %first, %z : index
    %there = arith.cmpi ult, %z, %c : index
    scf.if %there {
      ocl.store %v, %p[%at] : !ocl.ptr<i8, global>
    }
  }
  wg.return
}
// CHECK-LABEL: wg.func @pixels
// CHECK:         arith.cmpi eq, %channels, {{.*}} : i32
// CHECK-NEXT:    scf.if
// CHECK:         } else {
// CHECK:           [[THREE:%.*]] = arith.constant 3 : i32
// CHECK:           arith.cmpi eq, %channels, [[THREE]] : i32
// CHECK-NEXT:      scf.if
// CHECK:             [[FACTOR:%.*]] = arith.constant 3 : index
// CHECK:             wg.parallel
// CHECK:               arith.muli {{.*}}, [[FACTOR]] : index
// CHECK:               arith.cmpi ult, {{.*}}, {{.*}} : index
// CHECK:           } else {
// CHECK:             [[FOUR:%.*]] = arith.constant 4 : i32
// CHECK:             arith.cmpi eq, %channels, [[FOUR]] : i32
// CHECK:             } else {
// CHECK-NEXT:          wg.parallel
// CHECK:                 arith.muli {{.*}}, %c : index

// The place in a column of a matrix, whose height a guard compares with the row: no pixel has so many numbers.
// REMARK-NOT: pixels
wg.func @column(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %h: i64 {ocl.name = "h"}, %v: i8 {ocl.name = "v"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %height = arith.index_cast %h : i64 to index
  %row = ocl.group_id 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %first = arith.muli %x, %height : index
    %at = arith.addi %first, %row : index
    %there = arith.cmpi ult, %row, %height : index
    scf.if %there {
      ocl.store %v, %p[%at] : !ocl.ptr<i8, global>
    }
  }
  wg.return
}

// A window moves by an argument, along a row whose ends it is compared with: there are versions for 1 and 2.
// REMARK: wg_unit_strides.mlir:[[# @LINE + 7]]:3: remark: version: windows move by 1 [wg-unit-strides]
// REMARK: wg_unit_strides.mlir:[[# @LINE + 6]]:3: remark: version: windows move by 2 [wg-unit-strides]
wg.func @window(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %stride: i32 {ocl.name = "stride"}, %width: i32 {ocl.name = "width"}, %f: f32 {ocl.name = "f"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %taps = arith.constant 3 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.index_cast %x : index to i32
    %first = arith.muli %i, %stride : i32
    scf.for %k = %none to %taps step %one {
      %j = arith.index_cast %k : index to i32
      %at = arith.addi %first, %j : i32
      %inside = arith.cmpi slt, %at, %width : i32
      scf.if %inside {
        %place = arith.index_cast %at : i32 to index
        ocl.store %f, %p[%place] : !ocl.ptr<f32, global>
      }
    }
  }
  wg.return
}
// CHECK-LABEL: wg.func @window
// CHECK:         [[ONE:%.*]] = arith.constant 1 : i32
// CHECK:         arith.cmpi eq, %stride, [[ONE]] : i32
// CHECK-NEXT:    scf.if
// CHECK:           [[STEP:%.*]] = arith.constant 1 : i32
// CHECK:             arith.muli {{.*}}, [[STEP]] : i32
// CHECK:         [[TWO:%.*]] = arith.constant 2 : i32
// CHECK:         arith.cmpi eq, %stride, [[TWO]] : i32
// CHECK-NEXT:    scf.if
// CHECK:           [[LONG:%.*]] = arith.constant 2 : i32
// CHECK:             arith.muli {{.*}}, [[LONG]] : i32
// CHECK:         arith.muli {{.*}}, %stride : i32

// Not where a loop counts to the argument: it is the length of a row.
// REMARK-NOT: windows
wg.func @row(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %length: i32 {ocl.name = "length"}, %all: i32 {ocl.name = "all"}, %f: f32 {ocl.name = "f"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %end = arith.index_cast %length : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.index_cast %x : index to i32
    %first = arith.muli %i, %length : i32
    scf.for %k = %none to %end step %one {
      %j = arith.index_cast %k : index to i32
      %at = arith.addi %first, %j : i32
      %inside = arith.cmpi slt, %at, %all : i32
      scf.if %inside {
        %place = arith.index_cast %at : i32 to index
        ocl.store %f, %p[%place] : !ocl.ptr<f32, global>
      }
    }
  }
  wg.return
}
