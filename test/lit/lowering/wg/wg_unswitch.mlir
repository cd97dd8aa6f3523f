// RUN: ocl-opt %s -p wg-unswitch | filecheck %s
// RUN: ocl-opt %s -p "wg-unswitch{addresses=false}" | filecheck %s --check-prefix=LOOPS

// A matrix, or its transpose: an argument says which.
// CHECK-LABEL: wg.func @either(
// CHECK:         %[[IS:.*]] = arith.cmpi ne, %flag, %{{.*}} : i32
// CHECK-NEXT:    scf.if %[[IS]] {
// CHECK-NEXT:      wg.parallel (%[[X:.*]], %{{.*}}, %{{.*}}) in
// CHECK:           scf.for %[[K:.*]] = %c0 to %n step %c1
// CHECK-NOT:         arith.select
// CHECK:             %[[A:.*]] = arith.addi %[[ROW:.*]], %[[K]]
// CHECK:             ocl.load %p[%[[A]]]
// CHECK:         } else {
// CHECK-NEXT:      wg.parallel (%[[X2:.*]], %{{.*}}, %{{.*}}) in
// CHECK:           scf.for %[[K2:.*]] = %c0 to %n step %c1
// CHECK-NOT:         arith.select
// CHECK:             %[[B:.*]] = arith.addi %[[COLUMN:.*]], %[[X2]]
// CHECK:             ocl.load %p[%[[B]]]
wg.func @either(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %count: i32 {ocl.name = "count"}, %flag: i32 {ocl.name = "flag"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.index_cast %count : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%old = %zero) -> (f32) {
      %none = arith.constant 0 : i32
      %is = arith.cmpi ne, %flag, %none : i32
      %row = arith.muli %x, %n : index
      %a = arith.addi %row, %k : index
      %column = arith.muli %k, %n : index
      %b = arith.addi %column, %x : index
      %at = arith.select %is, %a, %b : index
      %value = ocl.load %p[%at] : !ocl.ptr<f32, global>
      %new = arith.addf %old, %value : f32
      scf.yield %new : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// The choice depends on the iteration; and a value is chosen, no address.
// CHECK-LABEL: wg.func @neither(
// CHECK-NOT:     scf.if
// CHECK:         wg.return
wg.func @neither(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}, %count: i32 {ocl.name = "count"}, %flag: i32 {ocl.name = "flag"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i32
  %n = arith.index_cast %count : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%old = %none) -> (i32) {
      %half = arith.cmpi slt, %k, %c64 : index
      %at = arith.select %half, %x, %k : index
      %value = ocl.load %p[%at] : !ocl.ptr<f32, global>
      %number = arith.fptosi %value : f32 to i32
      %is = arith.cmpi ne, %flag, %none : i32
      %chosen = arith.select %is, %number, %old : i32
      scf.yield %chosen : i32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// Rows or columns: one of two loops runs in all work-items of the launch.
// CHECK-LABEL: wg.func @loops(
// CHECK:         %[[IS:.*]] = arith.cmpi ne, %flag, %{{.*}} : i32
// CHECK-NEXT:    scf.if %[[IS]] {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         scf.if
// CHECK:             scf.for
// CHECK:         } else {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         scf.if
// CHECK:             scf.for
wg.func @loops(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %count: i32 {ocl.name = "count"}, %flag: i32 {ocl.name = "flag"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.index_cast %count : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %none = arith.constant 0 : i32
    %is = arith.cmpi ne, %flag, %none : i32
    %s = scf.if %is -> (f32) {
      %rows = scf.for %k = %c0 to %n step %c1 iter_args(%old = %zero) -> (f32) {
        %row = arith.muli %x, %n : index
        %a = arith.addi %row, %k : index
        %value = ocl.load %p[%a] : !ocl.ptr<f32, global>
        %new = arith.addf %old, %value : f32
        scf.yield %new : f32
      }
      scf.yield %rows : f32
    } else {
      %columns = scf.for %k = %c0 to %n step %c1 iter_args(%old = %zero) -> (f32) {
        %column = arith.muli %k, %n : index
        %b = arith.addi %column, %x : index
        %value = ocl.load %p[%b] : !ocl.ptr<f32, global>
        %new = arith.addf %old, %value : f32
        scf.yield %new : f32
      }
      scf.yield %columns : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// A mirrored row, or the row: no loop, but neighbours are a known number apart on each side only.
// The rows that an argument chooses are the same for all neighbours: one version.
// LOOPS-LABEL: wg.func @mirrored(
// LOOPS-NOT:     scf.if
// LOOPS-LABEL: wg.func @pixels(
// CHECK-LABEL: wg.func @mirrored(
// CHECK:         %[[IS:.*]] = arith.cmpi ne, %flag, %{{.*}} : i32
// CHECK-NEXT:    scf.if %[[IS]] {
// CHECK-NEXT:      wg.parallel
// CHECK-NEXT:        %{{.*}} = arith.cmpi ne, %flag
// CHECK-NEXT:        %[[A:.*]] = arith.subi
// CHECK:             %[[ROW:.*]] = arith.select
// CHECK:             arith.addi %{{.*}}, %[[A]]
// CHECK:         } else {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:       scf.if
// CHECK:           wg.return
wg.func @mirrored(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %count: i32 {ocl.name = "count"}, %flag: i32 {ocl.name = "flag"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i32
  %n = arith.index_cast %count : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %is = arith.cmpi ne, %flag, %none : i32
    %mirrored = arith.subi %n, %x : index
    %column = arith.select %is, %mirrored, %x : index
    %few = arith.cmpi sgt, %flag, %none : i32
    %last = arith.subi %n, %y : index
    %row = arith.select %few, %last, %y : index
    %start = arith.muli %row, %n : index
    %at = arith.addi %start, %column : index
    %value = ocl.load %p[%at] : !ocl.ptr<f32, global>
    ocl.store %value, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Pixels of three or four numbers.
// CHECK-LABEL: wg.func @pixels(
// CHECK:         scf.if
// CHECK:           arith.muli %{{.*}}, %c3 : index
// CHECK:         } else {
// CHECK:           arith.muli %{{.*}}, %c4 : index
wg.func @pixels(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %flag: i32 {ocl.name = "flag"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %is = arith.cmpi ne, %flag, %none : i32
    %size = arith.select %is, %c3, %c4 : index
    %at = arith.muli %x, %size : index
    %value = ocl.load %p[%at] : !ocl.ptr<f32, global>
    ocl.store %value, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Neighbours are as far apart on both sides, an element that all of them read is chosen, and each
// work-item chooses for itself.
// CHECK-LABEL: wg.func @same(
// CHECK-NOT:     scf.if
// CHECK:         wg.return
wg.func @same(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %count: i32 {ocl.name = "count"}, %flag: i32 {ocl.name = "flag"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i32
  %n = arith.index_cast %count : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %is = arith.cmpi ne, %flag, %none : i32
    %next = arith.addi %x, %n : index
    %at = arith.select %is, %next, %x : index
    %value = ocl.load %p[%at] : !ocl.ptr<f32, global>
    %one = arith.select %is, %n, %c1 : index
    %factor = ocl.load %p[%one] : !ocl.ptr<f32, global>
    %product = arith.mulf %value, %factor : f32
    %early = arith.cmpi slt, %x, %n : index
    %back = arith.subi %n, %x : index
    %to = arith.select %early, %back, %x : index
    ocl.store %product, %out[%to] : !ocl.ptr<f32, global>
  }
  wg.return
}

// The choice is between pointers to each work-item's own place.
// CHECK-LABEL: wg.func @pointers(
// CHECK:         scf.if
// CHECK:           wg.parallel
// CHECK:             %[[P:.*]] = ocl.offset %p[
// CHECK:             ocl.load %[[P]][%c1]
// CHECK:         } else {
// CHECK:           wg.parallel
// CHECK:             %[[Q:.*]] = ocl.offset %q[
// CHECK:             ocl.load %[[Q]][%c1]
wg.func @pointers(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %flag: i32 {ocl.name = "flag"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %is = arith.cmpi ne, %flag, %none : i32
    %back = arith.subi %c64, %x : index
    %a = ocl.offset %p[%back] : !ocl.ptr<f32, global>
    %b = ocl.offset %q[%x] : !ocl.ptr<f32, global>
    %from = arith.select %is, %a, %b : !ocl.ptr<f32, global>
    %value = ocl.load %from[%c1] : !ocl.ptr<f32, global>
    ocl.store %value, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
