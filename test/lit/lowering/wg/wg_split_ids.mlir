// RUN: ocl-opt %s -p wg-split-ids | filecheck %s
// RUN: ocl-opt %s -p wg-split-ids --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A column and a row of 16: 4 rows of work-items, without divisions.
// REMARK: wg_split_ids.mlir:[[# @LINE + 8]]:3: remark: in rows of 16 work-items [wg-split-ids]
wg.func @tile(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %n: i64 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %w = arith.index_cast %n : i64 to index
  wg.parallel (%x, %y, %z) in (%c64, %one, %one) {
    %column = arith.remui %x, %c16 : index
    %row = arith.shrui %x, %c4 : index
    %start = arith.muli %row, %w : index
    %at = arith.addi %start, %column : index
    ocl.store %v, %p[%at] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @tile
// CHECK:         %0 = arith.constant 16 : index
// CHECK-NEXT:    %1 = arith.constant 4 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%0, %1, %one) {
// CHECK-NOT:       arith.remui
// CHECK-NOT:       arith.shrui
// CHECK:           %start = arith.muli %y, %w : index
// CHECK-NEXT:      %at = arith.addi %start, %x : index
// CHECK:         } attributes {wg.spread}

// A step of a Fourier transform: (2 * id + 1) / 64 is id / 32, and (2 * id + 1) % 64 is 2 * (id % 32) + 1, in `uint`.
// REMARK: remark: in rows of 32 work-items [wg-split-ids]
wg.func @multiple(%p: !ocl.ptr<f32, local> {ocl.name = "p"}) attributes {local_size = array<i64: 128, 1, 1>} {
  %c128 = arith.constant 128 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %c64_i32 = arith.constant 64 : i32
  %c256_i32 = arith.constant 256 : i32
  %one = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  wg.parallel (%x, %y, %z) in (%c128, %one, %one) {
    %me = arith.index_cast %x : index to i32
    %double = arith.muli %me, %c2_i32 : i32
    %odd = arith.addi %double, %c1_i32 : i32
    %row = arith.divui %odd, %c64_i32 : i32
    %column = arith.remui %odd, %c64_i32 : i32
    %start = arith.muli %row, %c256_i32 : i32
    %sum = arith.addi %start, %column : i32
    %wide = arith.extui %sum : i32 to i64
    %at = arith.index_cast %wide : i64 to index
    ocl.store %v, %p[%at] : !ocl.ptr<f32, local>
  }
  wg.return
}

// CHECK-LABEL: wg.func @multiple
// CHECK:         %0 = arith.constant 32 : index
// CHECK-NEXT:    %1 = arith.constant 4 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%0, %1, %one) {
// CHECK:           [[C256:%.*]] = arith.constant 256 : index
// CHECK-NEXT:      [[START:%.*]] = arith.muli %y, [[C256]] : index
// CHECK-NEXT:      [[C2:%.*]] = arith.constant 2 : index
// CHECK-NEXT:      [[DOUBLE:%.*]] = arith.muli %x, [[C2]] : index
// CHECK-NEXT:      [[EVEN:%.*]] = arith.addi [[START]], [[DOUBLE]] : index
// CHECK-NEXT:      [[C1:%.*]] = arith.constant 1 : index
// CHECK-NEXT:      [[AT:%.*]] = arith.addi [[EVEN]], [[C1]] : index
// CHECK-NEXT:      ocl.store %v, %p[[[AT]]]

// A second divisor that is a multiple divides the row's number, which neighbours share.
// REMARK: remark: in rows of 16 work-items [wg-split-ids]
wg.func @two(%p: !ocl.ptr<f32, local> {ocl.name = "p"}) attributes {local_size = array<i64: 128, 1, 1>} {
  %c128 = arith.constant 128 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  wg.parallel (%x, %y, %z) in (%c128, %one, %one) {
    %low = arith.remui %x, %c16 : index
    %high = arith.divui %x, %c64 : index
    ocl.store %v, %p[%low] : !ocl.ptr<f32, local>
    ocl.store %v, %p[%high] : !ocl.ptr<f32, local>
  }
  wg.return
}

// CHECK-LABEL: wg.func @two
// CHECK:         wg.parallel (%x, %y, %z) in
// CHECK:           [[C4:%.*]] = arith.constant 4 : index
// CHECK-NEXT:      %high = arith.divui %y, [[C4]] : index
// CHECK:           ocl.store %v, %p[%x]
// CHECK-NEXT:      ocl.store %v, %p[%high]

// All ids are below the divisor, and a number divided by one leaves nothing: there is no division, and one row.
wg.func @none(%p: !ocl.ptr<f32, local> {ocl.name = "p"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  wg.parallel (%x, %y, %z) in (%c64, %one, %one) {
    %column = arith.remui %x, %c64 : index
    %zero = arith.remui %x, %one : index
    %at = arith.addi %column, %zero : index
    ocl.store %v, %p[%at] : !ocl.ptr<f32, local>
  }
  wg.return
}

// CHECK-LABEL: wg.func @none
// CHECK:         wg.parallel (%x, %y, %z) in (%c64, %one, %one) {
// CHECK-NOT:       arith.remui
// CHECK:           ocl.store

// Rows of 3 are no vectors, a sum with an argument is no id, and a number of 8 bits may wrap.
// CHECK-LABEL: wg.func @kept
// CHECK:         wg.parallel (%x, %y, %z) in (%c128, %one, %one) {
// CHECK:           arith.remui %x, %c3
// CHECK:           arith.remui %moved, %c16
// CHECK:           arith.remui %byte, %c16_i8
wg.func @kept(%p: !ocl.ptr<f32, local> {ocl.name = "p"}, %n: i64 {ocl.name = "n"}) attributes {local_size = array<i64: 128, 1, 1>} {
  %c128 = arith.constant 128 : index
  %c16 = arith.constant 16 : index
  %c16_i8 = arith.constant 16 : i8
  %c3 = arith.constant 3 : index
  %c3_i8 = arith.constant 3 : i8
  %one = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %w = arith.index_cast %n : i64 to index
  wg.parallel (%x, %y, %z) in (%c128, %one, %one) {
    %a = arith.remui %x, %c3 : index
    %moved = arith.addi %x, %w : index
    %b = arith.remui %moved, %c16 : index
    %id = arith.index_cast %x : index to i8
    %byte = arith.muli %id, %c3_i8 : i8
    %r = arith.remui %byte, %c16_i8 : i8
    %c = arith.index_cast %r : i8 to index
    ocl.store %v, %p[%a] : !ocl.ptr<f32, local>
    ocl.store %v, %p[%b] : !ocl.ptr<f32, local>
    ocl.store %v, %p[%c] : !ocl.ptr<f32, local>
  }
  wg.return
}

// Eight work-items in a row: a scatter of 16 would cost more.
// REMARK: remark: in rows of 8 work-items [wg-split-ids]
// CHECK-LABEL: wg.func @short
// CHECK:         %0 = arith.constant 8 : index
// CHECK:         wg.parallel (%x, %y, %z) in (%0,
wg.func @short(%p: !ocl.ptr<f32, local> {ocl.name = "p"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%c64, %one, %one) {
    %column = arith.remui %x, %c8 : index
    %row = arith.divui %x, %c8 : index
    %start = arith.muli %row, %c100 : index
    %at = arith.addi %start, %column : index
    %v = ocl.load %p[%at] : !ocl.ptr<f32, local>
    %w = arith.addf %v, %v : f32
    ocl.store %w, %p[%at] : !ocl.ptr<f32, local>
  }
  wg.return
}
