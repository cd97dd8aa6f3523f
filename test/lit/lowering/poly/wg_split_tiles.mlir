// RUN: ocl-opt %s -p wg-split-tiles | filecheck %s
// RUN: ocl-opt %s -p wg-split-tiles --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// A neighbour, or the border itself: as far as is known for all work-items, the lanes read all
// over memory. A group that does not have the first work-item of all reads side by side. In the
// one that has it, the first tile runs as it was, and the others do not.
// REMARK: wg_split_tiles.mlir:[[# @LINE + 9]]:3: remark: split: inside, neighbours access neighbours in p [wg-split-tiles]
wg.func @left(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %group = ocl.group_id 0 : index
  %offset = ocl.global_offset 0 : index
  %before = arith.muli %group, %c64 : index
  %first = arith.addi %before, %offset : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %first, %x : index
    %back = arith.subi %i, %c1 : index
    %at = arith.maxsi %back, %c0 : index
    %v = ocl.load %p[%at] : !ocl.ptr<f32, global>
    ocl.store %v, %q[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @left(
// CHECK:         %[[whole:.*]] = arith.cmpi sge, %first, %{{.*}} : index
// CHECK:         scf.if %[[whole]] {
// CHECK:           wg.parallel (%x, %y, %z) in (%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK-NEXT:        %i = arith.addi %first, %x : index
// CHECK-NEXT:        %back = arith.subi %i, %c1 : index
// CHECK-NEXT:        %v = ocl.load %p[%back] : !ocl.ptr<f32, global>
// CHECK-NEXT:        ocl.store %v, %q[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      } attributes {wg.lanes = array<i64: 16, 1, 1>}
// CHECK-NEXT:    } else {
// CHECK:           %[[from:[0-9]+]] = arith.muli %9, %18 : index
// CHECK-NEXT:      wg.parallel (%x_1, %y_1, %z_1) in (%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK-NEXT:        %x_2 = arith.addi %[[from]], %x_1 : index
// CHECK:             ocl.load %p[%back_1]
// CHECK:           scf.if %{{.*}} {
// CHECK:             wg.parallel
// CHECK:               %at = arith.maxsi %back_2, %c0 : index
// CHECK-NEXT:          ocl.load %p[%at]

// Guards alone are no reason, nor are addresses from memory.
wg.func @guard(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %in = arith.cmpi slt, %x, %end : index
    scf.if %in {
      %at32 = ocl.load %p[%x] : !ocl.ptr<i32, global>
      %at64 = arith.index_cast %at32 : i32 to index
      %at = arith.maxsi %at64, %c1 : index
      ocl.store %n, %p[%at] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @guard(
// CHECK:         wg.parallel
// CHECK-NOT:     wg.parallel

// The next element, or the first one after the last. In tiles before the end, and in those that are
// wholly after it, lanes read side by side; a typical launch has none of the latter, so that the
// interior is the former.
// REMARK: wg_split_tiles.mlir:[[# @LINE + 9]]:3: remark: split: inside, neighbours access neighbours in p [wg-split-tiles]
wg.func @wrap(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %size = arith.index_cast %n : i32 to index
  %group = ocl.group_id 0 : index
  %offset = ocl.global_offset 0 : index
  %before = arith.muli %group, %c64 : index
  %first = arith.addi %before, %offset : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %first, %x : index
    %next = arith.addi %i, %c1 : index
    %inside = arith.cmpi slt, %next, %size : index
    %back = arith.subi %next, %size : index
    %at = arith.select %inside, %next, %back : index
    %v = ocl.load %p[%at] : !ocl.ptr<f32, global>
    ocl.store %v, %q[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @wrap(
// CHECK:         scf.if
// CHECK:           wg.parallel
// CHECK-NEXT:        %i = arith.addi %first, %x : index
// CHECK-NEXT:        %next = arith.addi %i, %{{.*}} : index
// CHECK-NEXT:        %v = ocl.load %p[%next] : !ocl.ptr<f32, global>

// Both sides of the choice are 0 at the work-item 2, where the interior begins: the choice is gone
// there, too.
wg.func @choice(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %group = ocl.group_id 0 : index
  %offset = ocl.global_offset 0 : index
  %before = arith.muli %group, %c64 : index
  %first = arith.addi %before, %offset : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.addi %first, %x : index
    %far = arith.cmpi sgt, %i, %c2 : index
    %back = arith.subi %i, %c2 : index
    %at = arith.select %far, %back, %c0 : index
    %v = ocl.load %p[%at] : !ocl.ptr<f32, global>
    ocl.store %v, %q[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @choice(
// CHECK:         scf.if
// CHECK:           wg.parallel
// CHECK-NEXT:        %i = arith.addi %first, %x : index
// CHECK-NEXT:        %back = arith.subi %i, %c2 : index
// CHECK-NEXT:        %v = ocl.load %p[%back] : !ocl.ptr<f32, global>
