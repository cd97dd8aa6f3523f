// RUN: ocl-opt %s -p wg-select-loads | filecheck %s
// RUN: ocl-opt %s -p wg-select-loads --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// REMARK-COUNT-6: 1 loads of selected addresses [wg-select-loads]
// REMARK-NOT: selected

// Mirrored: consecutive on one side, backwards on the other.
wg.func @mirror(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %inside = arith.cmpi uge, %x, %c1 : index
    %left = arith.subi %x, %c1 : index
    %mirrored = arith.subi %c1, %x : index
    %i = arith.select %inside, %left, %mirrored : index
    %j = arith.addi %i, %c64 : index
    %v = ocl.load %in[%j] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @mirror(
// CHECK:       %v = scf.if %inside -> (f32) {
// CHECK-NEXT:    %[[J:.*]] = arith.addi %left, %c64 : index
// CHECK-NEXT:    %[[A:.*]] = ocl.load %in[%[[J]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:    scf.yield %[[A]] : f32
// CHECK-NEXT:  } else {
// CHECK-NEXT:    %[[K:.*]] = arith.addi %mirrored, %c64 : index
// CHECK-NEXT:    %[[B:.*]] = ocl.load %in[%[[K]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:    scf.yield %[[B]] : f32
// CHECK-NEXT:  }
// CHECK-NEXT:  ocl.store %v, %out[%x] : !ocl.ptr<f32, global>

// A minimum is a selection.
wg.func @clamp(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %size: i32 {ocl.name = "size"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %last = arith.index_cast %size : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %right = arith.addi %x, %c1 : index
    %i = arith.minsi %right, %last : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @clamp(
// CHECK:       %[[IS:.*]] = arith.cmpi slt, %right, %last : index
// CHECK-NEXT:  %v = scf.if %[[IS]] -> (f32) {
// CHECK-NEXT:    %[[A:.*]] = ocl.load %in[%right] : !ocl.ptr<f32, global>
// CHECK:       } else {
// CHECK-NEXT:    %[[B:.*]] = ocl.load %in[%last] : !ocl.ptr<f32, global>

// Each of the three places of a clamp is decided by the id and a bound, not by an extreme of both.
wg.func @clamp_both(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %size: i32 {ocl.name = "size"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %last = arith.index_cast %size : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %left = arith.subi %x, %c1 : index
    %natural = arith.maxsi %left, %c0 : index
    %i = arith.minsi %natural, %last : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @clamp_both(
// CHECK:       %[[A:.*]] = arith.cmpi slt, %left, %last : index
// CHECK-NEXT:  %[[B:.*]] = arith.cmpi slt, %c0, %last : index
// CHECK-NEXT:  %[[BOTH:.*]] = arith.andi %[[A]], %[[B]] : i1
// CHECK-NEXT:  %v = scf.if %[[BOTH]] -> (f32) {
// CHECK:         arith.cmpi sgt, %left, %c0 : index

// A branch that only computes an index.
wg.func @branch(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %size: i32 {ocl.name = "size"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = arith.index_cast %size : i32 to index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %right = arith.addi %x, %c1 : index
    %outside = arith.cmpi uge, %right, %n : index
    %i = scf.if %outside -> (index) {
      %wrapped = arith.subi %right, %n : index
      scf.yield %wrapped : index
    } else {
      scf.yield %right : index
    }
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @branch(
// CHECK:       %v = scf.if %outside -> (f32) {
// CHECK-NEXT:    %[[W:.*]] = arith.subi %right, %n : index
// CHECK-NEXT:    %[[A:.*]] = ocl.load %in[%[[W]]] : !ocl.ptr<f32, global>
// CHECK:       } else {
// CHECK-NEXT:    %[[B:.*]] = ocl.load %in[%right] : !ocl.ptr<f32, global>

// All work-items divide, or none does: those that do gather.
wg.func @agreed(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %size: i32 {ocl.name = "size"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = arith.index_cast %size : i32 to index
  %small = arith.cmpi uge, %n, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = scf.if %small -> (index) {
      %less = arith.subi %x, %n : index
      %is = arith.cmpi ult, %x, %n : index
      %one = arith.select %is, %x, %less : index
      scf.yield %one : index
    } else {
      %rest = arith.remui %x, %n : index
      scf.yield %rest : index
    }
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @agreed(
// CHECK:       %v = scf.if %small -> (f32) {
// CHECK:         scf.if %{{.*}} -> (f32) {
// CHECK-NEXT:      ocl.load %in[%x]
// CHECK:         } else {
// CHECK-NEXT:      ocl.load %in[%{{.*}}]
// CHECK:       } else {
// CHECK-NEXT:    %[[R:.*]] = arith.remui %x, %n : index
// CHECK-NEXT:    ocl.load %in[%[[R]]]

// Each row of the group is clamped for itself, which all neighbours in it do alike: it stays.
wg.func @rows(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %size: i32 {ocl.name = "size"}) attributes {local_size = array<i64: 16, 4, 1>} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %last = arith.index_cast %size : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c4, %c1) {
    %right = arith.addi %x, %c1 : index
    %i = arith.minsi %right, %last : index
    %below = arith.addi %y, %c1 : index
    %j = arith.minsi %below, %last : index
    %row = arith.muli %j, %c16 : index
    %at = arith.addi %row, %i : index
    %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
    %to = arith.muli %y, %c16 : index
    %here = arith.addi %to, %x : index
    ocl.store %v, %out[%here] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @rows(
// CHECK:       %j = arith.minsi %below, %last : index
// CHECK:       %v = scf.if %{{.*}} -> (f32) {
// CHECK-NEXT:    %[[A:.*]] = arith.addi %row, %right : index
// CHECK-NEXT:    ocl.load %in[%[[A]]]
// CHECK:       } else {
// CHECK-NEXT:    %[[B:.*]] = arith.addi %row, %last : index
// CHECK-NEXT:    ocl.load %in[%[[B]]]

// Left as they are: one side would be gathered as well; a byte has no masks; volatile memory.
wg.func @left(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %bytes: !ocl.ptr<i8, global> {ocl.name = "bytes"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %to: !ocl.ptr<i8, global> {ocl.name = "to"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %inside = arith.cmpi uge, %x, %c1 : index
    %left = arith.subi %x, %c1 : index
    %far = arith.muli %x, %c5 : index
    %i = arith.select %inside, %left, %far : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
    %j = arith.select %inside, %left, %c5 : index
    %b = ocl.load %bytes[%j] : !ocl.ptr<i8, global>
    ocl.store %b, %to[%x] : !ocl.ptr<i8, global>
    %w = ocl.load volatile %in[%j] : !ocl.ptr<f32, global>
    ocl.store %w, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @left(
// CHECK-NOT:   scf.if
