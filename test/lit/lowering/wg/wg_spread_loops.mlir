// RUN: ocl-opt %s -p wg-spread-loops | filecheck %s
// RUN: ocl-opt %s -p wg-spread-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item writes four neighbours; the new ones write one each, and are neighbours themselves.
// REMARK: wg_spread_loops.mlir:[[# @LINE + 8]]:5: remark: spread over 256 work-items [wg-spread-loops]
wg.func @four(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %lx = arith.constant 64 : index
  %first = ocl.group_id 0 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.for %k = %zero to %four step %one {
      %x4 = arith.muli %x, %four : index
      %i = arith.addi %x4, %k : index
      %j = arith.addi %i, %first : index
      %v = ocl.load %out[%j] : !ocl.ptr<i32, global>
      %w = arith.addi %v, %v : i32
      ocl.store %w, %out[%j] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @four
// CHECK:         [[SIZE:%.*]] = arith.constant 256 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in ([[SIZE]], %one, %one) {
// CHECK-NOT:       scf.for
// CHECK:           arith.addi %i, %x : index
// CHECK-NEXT:      %j = arith.addi %{{.*}}, %first : index
// CHECK-NEXT:      %v = ocl.load %out[%j] : !ocl.ptr<i32, global>
// CHECK-NEXT:      %w = arith.addi %v, %v : i32
// CHECK-NEXT:      ocl.store %w, %out[%j] : !ocl.ptr<i32, global>
// CHECK-NEXT:    } attributes {wg.spread}

// An iteration reads what the one before has written: they run in their order.
// REMARK: wg_spread_loops.mlir:[[# @LINE + 7]]:5: remark: not spread: iterations may access the same elements [wg-spread-loops]
wg.func @sums(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.for %k = %zero to %four step %one {
      %x4 = arith.muli %x, %four : index
      %i = arith.addi %x4, %k : index
      %j = arith.addi %i, %one : index
      %v = ocl.load %out[%i] : !ocl.ptr<i32, global>
      ocl.store %v, %out[%j] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @sums
// CHECK:         scf.for

// Some work-items of a group, such as those inside of an array: each has four.
// REMARK: wg_spread_loops.mlir:[[# @LINE + 8]]:5: remark: spread over 4 times as many work-items [wg-spread-loops]
wg.func @some(%n: i32 {ocl.name = "n"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %v = arith.constant 7 : i32
  %count = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%count, %one, %one) {
    scf.for %k = %zero to %four step %one {
      %x4 = arith.muli %x, %four : index
      %i = arith.addi %x4, %k : index
      ocl.store %v, %out[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @some
// CHECK:         [[SIZE:%.*]] = arith.muli %count, %{{.*}} : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in ([[SIZE]], %one, %one) {
// CHECK-NOT:       scf.for
// CHECK:         } attributes {wg.spread}

// The number of the iteration is written, and not that of the output.
// REMARK: wg_spread_loops.mlir:[[# @LINE + 7]]:5: remark: not spread: not all depends on an output's number [wg-spread-loops]
wg.func @number(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.for %k = %zero to %four step %one {
      %x4 = arith.muli %x, %four : index
      %i = arith.addi %x4, %k : index
      %n = arith.index_cast %k : index to i32
      ocl.store %n, %out[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @number
// CHECK:         scf.for

// Two outputs at a distance that is an argument. Iterations of a work-item are independent where it is
// longer than the four elements, 16 bytes, that they write: the group tests it, and has both versions.
// REMARK: wg_spread_loops.mlir:[[# @LINE + 7]]:5: remark: spread over 256 work-items, if they are apart [wg-spread-loops]
wg.func @planes(%n: i32 {ocl.name = "n"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}, %v: i32 {ocl.name = "v"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.for %k = %zero to %four step %one {
      %x4 = arith.muli %x, %four : index
      %i = arith.addi %x4, %k : index
      %n1 = arith.index_cast %n : i32 to index
      %j = arith.addi %i, %n1 : index
      ocl.store %v, %out[%i] : !ocl.ptr<i32, global>
      ocl.store %v, %out[%j] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @planes
// CHECK:         %all = arith.ori
// CHECK-NEXT:    scf.if %all {
// CHECK:           wg.parallel (%x, %y, %z) in (%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK-NOT:         scf.for
// CHECK:           } attributes {wg.spread}
// CHECK-NEXT:    } else {
// CHECK-NEXT:      wg.parallel
// CHECK-NEXT:        scf.for

// Outputs in rows. Those of a work-item are next to each other where rows are as long as one or more
// work-items: four divides the width, and the first of the group's outputs.
// REMARK: wg_spread_loops.mlir:[[# @LINE + 7]]:5: remark: spread over 256 work-items, if they are apart [wg-spread-loops]
wg.func @rows(%width: i32 {ocl.name = "width"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}, %v: i32 {ocl.name = "v"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.for %k = %zero to %four step %one {
      %x4 = arith.muli %x, %four : index
      %n = arith.addi %x4, %k : index
      %i = arith.index_cast %n : index to i32
      %row = arith.divsi %i, %width : i32
      %column = arith.remsi %i, %width : i32
      %first = arith.muli %row, %v : i32
      %at = arith.addi %first, %column : i32
      %j = arith.index_cast %at : i32 to index
      ocl.store %v, %out[%j] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @rows
// CHECK:         arith.remui %{{.*}}, %c4
// CHECK:         %all = arith.andi
// CHECK-NEXT:    scf.if %all {
// CHECK:           wg.parallel
// CHECK-NOT:         scf.for
// CHECK:           } attributes {wg.spread}
// CHECK-NEXT:    } else {
// CHECK-NEXT:      wg.parallel
// CHECK-NEXT:        scf.for
