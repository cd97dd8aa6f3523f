// RUN: ocl-opt %s -p wg-split-borders | filecheck %s
// RUN: ocl-opt %s -p wg-split-borders --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// The left neighbour, and the first element for itself. All work-items but that one read neighbours;
// rounded to vectors, these are those from 0 or 16 on.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @left(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %inside = arith.cmpi ugt, %i, %c0 : index
    %before = arith.subi %i, %c1 : index
    %left = arith.select %inside, %before, %c0 : index
    %v = ocl.load %in[%left] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @left(
// CHECK:        scf.if %all {
// CHECK-NEXT:     wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
// CHECK-NEXT:       %i = arith.addi %start, %x : index
// CHECK-NEXT:       %before = arith.subi %i, %c1 : index
// CHECK-NEXT:       %v = ocl.load %in[%before] : !ocl.ptr<f32, global>
// CHECK-NEXT:       ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   } else {
// What the border needs is computed there only, and the branch says that it is rare.
// CHECK:          %[[COUNT:.*]] = arith.muli
// CHECK:          wg.parallel (%x_1, %y_1, %z_1) in (%{{.*}}, %c1, %c1) {
// CHECK-NEXT:       %x_2 = arith.addi %x_1, %[[FROM:.*]] : index
// CHECK-NEXT:       %i_1 = arith.addi %start, %x_2 : index
// CHECK-NEXT:       %before_1 = arith.subi %i_1, %c1 : index
// CHECK-NEXT:       %v_1 = ocl.load %in[%before_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:       ocl.store %v_1, %out[%i_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:     } attributes {wg.lanes = array<i64: 16, 1, 1>}
// CHECK-NEXT:     scf.for
// CHECK:            wg.parallel (%x_3, %y_2, %z_2) in (%{{.*}}, %c1, %c1) {
// CHECK:              %left = arith.select %inside,
// CHECK:        }{wg.likely}

// All work-items of a group choose alike, which decides what reads its neighbours: the interval of
// work-items inside asks for the outcome, too, as the others may choose a number that is not in bounds.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @chosen(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : index
  %last = arith.constant 1023 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %few = arith.cmpi slt, %n, %c8 : i32
    %far = arith.muli %i, %i : index
    %chosen = arith.select %few, %i, %far : index
    %place = arith.minsi %chosen, %last : index
    %v = ocl.load %in[%place] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @chosen(
// CHECK:        %[[FEW:.*]] = arith.cmpi sle, %c-7, %{{.*}} : index
// CHECK:        } else {
// CHECK:          %[[TILES:.*]] = arith.select %[[FEW]], %{{.*}}, %{{.*}} : index
// CHECK-NEXT:     %[[COUNT:.*]] = arith.muli %[[TILES]],
// CHECK:          wg.parallel (%x_1, %y_1, %z_1) in (%[[COUNT]], %c1, %c1) {
// CHECK-NOT:        arith.minsi
// CHECK:            ocl.load %in[%i_1]
// CHECK:          wg.parallel (%x_3,
// CHECK:            %place = arith.minsi %chosen, %last : index

// An unsigned remainder: inside, (i + n - 1) % n is i - 1, the quotient is 1. A mask changes nothing
// where its argument is below it, and it is a power of two less one, which the group tests.
// REMARK: split along x: inside, neighbours read neighbours in 2 more accesses [wg-split-borders]
wg.func @wrap(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  %last = arith.subi %n, %one : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %id = arith.addi %start, %x : index
    %i = arith.index_cast %id : index to i32
    %more = arith.addi %i, %n : i32
    %less = arith.subi %more, %one : i32
    %wrapped = arith.remui %less, %n : i32
    %wide = arith.extui %wrapped : i32 to i64
    %left = arith.index_cast %wide : i64 to index
    %a = ocl.load %in[%left] : !ocl.ptr<f32, global>
    %next = arith.addi %i, %one : i32
    %masked = arith.andi %next, %last : i32
    %wide2 = arith.extui %masked : i32 to i64
    %right = arith.index_cast %wide2 : i64 to index
    %b = ocl.load %in[%right] : !ocl.ptr<f32, global>
    %sum = arith.addf %a, %b : f32
    ocl.store %sum, %out[%id] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @wrap(
// CHECK:        scf.if %all_{{.*}} {
// CHECK:          %wrapped = arith.subi %less, %n : i32
// CHECK-NEXT:     %wide = arith.extsi %wrapped : i32 to i64
// CHECK:          %next = arith.addi %i, %one : i32
// CHECK-NEXT:     %wide2 = arith.extsi %next : i32 to i64
// At the border, the quotient is 0 or 1, and a remainder subtracts, in groups where all quotients are
// as in an array of this size. Other groups divide.
// CHECK:          scf.if %all{{.*}} {
// CHECK:            scf.for
// CHECK:              %[[LESS:.*]] = arith.subi %{{.*}}, %one
// CHECK-NEXT:         %[[FIRST:.*]] = arith.subi %[[LESS]], %n
// CHECK-NEXT:         %[[IS:.*]] = arith.cmpi ult, %[[LESS]], %n
// CHECK-NEXT:         arith.select %[[IS]], %[[LESS]], %[[FIRST]]
// CHECK:          } else {
// CHECK:            scf.for
// CHECK:              arith.remui

// A window of neighbours: at the right border the last iteration has quotient 2, the first one 1.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @window(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %from = arith.constant -2 : index
  %to = arith.constant 3 : index
  %none = arith.constant 0.0 : f32
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %id = arith.addi %start, %x : index
    %i = arith.index_cast %id : index to i32
    %sum = scf.for %k = %from to %to step %c1 iter_args(%before = %none) -> (f32) {
      %d = arith.index_cast %k : index to i32
      %near = arith.addi %i, %d : i32
      %more = arith.addi %near, %n : i32
      %wrapped = arith.remsi %more, %n : i32
      %at = arith.index_cast %wrapped : i32 to index
      %a = ocl.load %in[%at] : !ocl.ptr<f32, global>
      %after = arith.addf %before, %a : f32
      scf.yield %after : f32
    }
    ocl.store %sum, %out[%id] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @window(
// CHECK:        scf.if %all_{{.*}} {
// CHECK:        } else {
// CHECK:          scf.if %all{{.*}} {
// CHECK:            } attributes {wg.lanes
// CHECK:              %[[MORE:.*]] = arith.addi %{{.*}}, %n : i32
// CHECK-NEXT:         %[[ONCE:.*]] = arith.subi %[[MORE]], %n
// CHECK-NEXT:         %[[TWICE:.*]] = arith.subi %[[ONCE]], %n
// CHECK-NEXT:         arith.cmpi slt, %[[ONCE]], %n
// CHECK-NEXT:         arith.select %{{.*}}, %[[ONCE]], %[[TWICE]]
// CHECK:          } else {

// A loop that wraps a coordinate runs as often as a quotient says: not at all inside, and at the border
// at most once in groups near an array of this size; the second one never runs there.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @wrap_by_loops(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %id = arith.addi %start, %x : index
    %i = arith.index_cast %id : index to i32
    %less = arith.subi %i, %one : i32
    %up = scf.while (%a = %less) : (i32) -> i32 {
      %zero = arith.constant 0 : i32
      %below = arith.cmpi slt, %a, %zero : i32
      scf.condition(%below) %a : i32
    } do {
    ^bb0(%b: i32):
      %more = arith.addi %b, %n : i32
      scf.yield %more : i32
    }
    %down = scf.while (%a = %up) : (i32) -> i32 {
      %above = arith.cmpi sge, %a, %n : i32
      scf.condition(%above) %a : i32
    } do {
    ^bb0(%b: i32):
      %fewer = arith.subi %b, %n : i32
      scf.yield %fewer : i32
    }
    %left = arith.index_cast %down : i32 to index
    %v = ocl.load %in[%left] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%id] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @wrap_by_loops(
// CHECK:        scf.if %all{{.*}} {
// CHECK-NEXT:     wg.parallel
// CHECK:            %less = arith.subi %i, %one : i32
// CHECK-NOT:        scf.while
// CHECK:            %left = arith.index_cast %less : i32 to index
// CHECK:          scf.if %all{{.*}} {
// CHECK:            scf.for
// CHECK:              %[[LESS:.*]] = arith.subi %{{.*}}, %one : i32
// CHECK:              %[[WRAPPED:.*]] = arith.addi %[[LESS]], %n : i32
// CHECK-NEXT:         %[[BELOW:.*]] = arith.cmpi slt, %[[LESS]], %{{.*}} : i32
// CHECK-NEXT:         %[[UP:.*]] = arith.select %[[BELOW]], %[[WRAPPED]], %[[LESS]] : i32
// CHECK-NOT:          scf.while
// CHECK:              arith.index_cast %[[UP]] : i32 to index
// CHECK:          } else {
// CHECK:            scf.for
// CHECK:              scf.while
// CHECK:              scf.while

// A loop that reflects a coordinate until it is inside has no iteration there. It stays at the border.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @reflect_by_loop(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %id = arith.addi %start, %x : index
    %i = arith.index_cast %id : index to i32
    %less = arith.subi %i, %one : i32
    %reflected = scf.while (%a = %less) : (i32) -> i32 {
      %below = arith.cmpi slt, %a, %zero : i32
      %above = arith.cmpi sge, %a, %n : i32
      %outside = arith.ori %below, %above : i1
      scf.condition(%outside) %a : i32
    } do {
    ^bb0(%b: i32):
      %below = arith.cmpi slt, %b, %zero : i32
      %last = arith.subi %n, %one : i32
      %end = arith.select %below, %zero, %last : i32
      %ends = arith.addi %end, %end : i32
      %other = arith.subi %ends, %b : i32
      scf.yield %other : i32
    }
    %left = arith.index_cast %reflected : i32 to index
    %v = ocl.load %in[%left] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%id] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @reflect_by_loop(
// CHECK:        scf.if %all{{.*}} {
// CHECK-NEXT:     wg.parallel
// CHECK:            %less = arith.subi %i, %one : i32
// CHECK-NOT:        scf.while
// CHECK:            %left = arith.index_cast %less : i32 to index
// CHECK:        } else {
// CHECK:          wg.parallel
// CHECK-NOT:        scf.while
// CHECK:          scf.for
// CHECK:            scf.while

// No element is before the first one of the right neighbour: what holds whatever the launch is left
// out at the border, too.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @right(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %last: i32 {ocl.name = "last"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %id = arith.addi %start, %x : index
    %i = arith.index_cast %id : index to i32
    %next = arith.addi %i, %one : i32
    %first = arith.maxsi %next, %zero : i32
    %clamped = arith.minsi %first, %last : i32
    %right = arith.index_cast %clamped : i32 to index
    %v = ocl.load %in[%right] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%id] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @right(
// CHECK-NOT:    arith.maxsi %next
// CHECK:          scf.for
// CHECK:            %[[NEXT:.*]] = arith.addi %{{.*}}, %one : i32
// CHECK-NEXT:       arith.minsi %[[NEXT]], %last : i32

// Signed coordinates are wrapped by two remainders: a negative number above -n is its own, so that the
// first one changes nothing from border to border, and the second one has the quotient 0 or 1.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @wrap_twice(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %id = arith.addi %start, %x : index
    %i = arith.index_cast %id : index to i32
    %less = arith.subi %i, %one : i32
    %rest = arith.remsi %less, %n : i32
    %more = arith.addi %rest, %n : i32
    %wrapped = arith.remsi %more, %n : i32
    %left = arith.index_cast %wrapped : i32 to index
    %a = ocl.load %in[%left] : !ocl.ptr<f32, global>
    ocl.store %a, %out[%id] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @wrap_twice(
// CHECK:        scf.if %all_{{.*}} {
// CHECK:          %less = arith.subi
// CHECK-NEXT:     %more = arith.addi %less, %n : i32
// CHECK-NEXT:     %wrapped = arith.subi %more, %n : i32
// CHECK:        } else {
// CHECK:          scf.if %all {
// CHECK:            scf.for
// CHECK:              %less{{.*}} = arith.subi
// CHECK-NEXT:         %[[MORE:.*]] = arith.addi %less{{.*}}, %n : i32
// CHECK-NEXT:         %[[FIRST:.*]] = arith.subi %[[MORE]], %n
// CHECK-NEXT:         %[[IS:.*]] = arith.cmpi slt, %[[MORE]], %n
// CHECK-NEXT:         arith.select %[[IS]], %[[MORE]], %[[FIRST]]

// An array of 512 elements whose ends meet: beyond it, addresses are consecutive, too, but 511 elements
// away. The work-items inside are those whose neighbours are near.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @ring(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %next = arith.addi %i, %c1 : index
    %inside = arith.cmpi slt, %next, %c512 : index
    %first = arith.subi %next, %c512 : index
    %right = arith.select %inside, %next, %first : index
    %v = ocl.load %in[%right] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @ring(
// CHECK:        scf.if
// CHECK-NEXT:     wg.parallel (%{{.*}}, %{{.*}}, %{{.*}}) in (%c64{{.*}}, %c1{{.*}}, %c1{{.*}}) {
// CHECK-NEXT:       %i{{.*}} = arith.addi
// CHECK-NEXT:       [[NEXT:%next.*]] = arith.addi
// CHECK-NEXT:       %first{{.*}} = arith.subi
// CHECK-NEXT:       ocl.load %in{{.*}}{{\[}}[[NEXT]]{{\]}}

// A colour of the left pixel: neighbours read elements that are three apart.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @pixels(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %group = ocl.group_id 0 : index
  %first = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %first, %x : index
    %left = arith.subi %i, %c1 : index
    %l = arith.maxsi %left, %c0 : index
    %at = arith.muli %l, %c3 : index
    %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
    %w = math.sqrt %v : f32
    ocl.store %w, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @pixels
// CHECK:         %[[INSIDE:.*]] = arith.cmpi
// CHECK:         scf.if
// CHECK:             %left = arith.subi %i, %c1 : index
// CHECK-NEXT:        %at = arith.muli %left, %c3 : index

// A field of a record, whose neighbour is as far as the record is large.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @field(%in: !ocl.ptr<!ocl.struct<"Pixel", {r: f32, g: f32, b: f32}>, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %left = arith.subi %i, %c1 : index
    %l = arith.maxsi %left, %c0 : index
    %pixel = ocl.offset %in[%l] : !ocl.ptr<!ocl.struct<"Pixel", {r: f32, g: f32, b: f32}>, global>
    %green = ocl.member %pixel["g"] : !ocl.ptr<!ocl.struct<"Pixel", {r: f32, g: f32, b: f32}>, global> -> !ocl.ptr<f32, global>
    %v = ocl.load %green : !ocl.ptr<f32, global>
    %w = math.sqrt %v : f32
    ocl.store %w, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @field
// CHECK:         scf.if
// CHECK:             %[[LEFT:.*]] = arith.subi %{{.*}}, %c1 : index
// CHECK-NEXT:        ocl.offset %in[%[[LEFT]]]

// A part of a group: how many work-items are in it is known at run time. (A selection would stay for
// wg-select-loads.)
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @part(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}, %number: i64 {ocl.name = "number"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  %count = arith.index_cast %number : i64 to index
  wg.parallel (%x, %y, %z) in (%count, %c1, %c1) {
    %id = arith.addi %start, %x : index
    %i = arith.index_cast %id : index to i32
    %next = arith.addi %i, %one : i32
    %wrapped = arith.remui %next, %n : i32
    %right = arith.index_cast %wrapped : i32 to index
    %v = ocl.load %in[%right] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%id] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @part(
// CHECK:        arith.cmpi eq, %{{.*}}, %count : index
// CHECK:        scf.if %{{all.*}} {
// CHECK-NEXT:     wg.parallel (%x, %y, %z) in (%count, %c1, %c1) {
// CHECK-NOT:        arith.remui
// CHECK:          ocl.store

// A mirrored row and the neighbours in it, clamped: they are read backwards.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
// CHECK-LABEL: wg.func @mirrored(
// CHECK:         scf.if %all {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         arith.maxsi
// CHECK:             ocl.load %in[
// CHECK:           } else {
wg.func @mirrored(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %id = arith.index_cast %i : index to i32
    %from = arith.subi %n, %id : i32
    %at = arith.maxsi %from, %c0 : i32
    %place = arith.index_cast %at : i32 to index
    %v = ocl.load %in[%place] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Groups of another dimension have 64 columns each: only the first ones are inside of 300.
// REMARK: split along x: inside, neighbours read neighbours in 1 more access [wg-split-borders]
wg.func @columns(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c299 = arith.constant 299 : index
  %group = ocl.group_id 1 : index
  %start = arith.muli %group, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %column = arith.minsi %i, %c299 : index
    %v = ocl.load %in[%column] : !ocl.ptr<f32, global>
    %w = math.sqrt %v : f32
    ocl.store %w, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @columns(
// CHECK:         scf.if %{{all.*}} {
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
// CHECK-NOT:         arith.minsi
// CHECK:             ocl.load

// Nothing is known of an index from memory: the region stays.
// REMARK-NOT: split
wg.func @memory(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = ocl.load %in[%x] : !ocl.ptr<i32, global>
    %j = arith.maxsi %i, %c0 : i32
    %k = arith.index_cast %j : i32 to index
    %v = ocl.load %in[%k] : !ocl.ptr<i32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @memory(
// CHECK-NOT:    scf.if

// All work-items select the same address: there is no border. Nor is there one where each reads the
// first of its two numbers.
// CHECK-LABEL: wg.func @same(
// CHECK:       wg.parallel
// CHECK-NOT:   wg.parallel
// CHECK:       wg.return
wg.func @same(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %m: i32 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %m : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %transposed = arith.cmpi ne, %n, %c0 : index
    %column = arith.muli %x, %n : index
    %i = arith.select %transposed, %x, %column : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    %first = arith.muli %x, %c2 : index
    %w = ocl.load %in[%first] : !ocl.ptr<f32, global>
    %s = arith.addf %v, %w : f32
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
