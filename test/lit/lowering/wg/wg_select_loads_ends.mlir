// RUN: ocl-opt %s -p "wg-select-loads{ends=false}" | filecheck %s

// Only x moves the address: the border is the two ends of an array, and the gather stays.
wg.func @line(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %before = arith.subi %x, %c1 : index
    %left = arith.maxsi %before, %c0 : index
    %v = ocl.load %in[%left] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @line(
// CHECK:         %v = ocl.load %in[%left]

// Each row has a border.
wg.func @rows(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 4, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {
    %before = arith.subi %x, %c1 : index
    %left = arith.maxsi %before, %c0 : index
    %row = arith.muli %y, %c64 : index
    %i = arith.addi %row, %left : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    %j = arith.addi %row, %x : index
    ocl.store %v, %out[%j] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @rows(
// CHECK:         scf.if %{{.*}} -> (f32) {
// CHECK:           ocl.load %in
// CHECK:         } else {
// CHECK:           ocl.load %in

// So has each row of a region in one dimension, whose ids are divided: this is row `%row`.
wg.func @divided(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %row = ocl.group_id 0 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %before = arith.subi %x, %c1 : index
    %left = arith.maxsi %before, %c0 : index
    %first = arith.muli %row, %c64 : index
    %i = arith.addi %first, %left : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    %j = arith.addi %first, %x : index
    ocl.store %v, %out[%j] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @divided(
// CHECK:         scf.if %{{.*}} -> (f32) {
// CHECK:           ocl.load %in
// CHECK:         } else {
// CHECK:           ocl.load %in


// So has each row of a loop: this column is summed along the rows.
wg.func @looped(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %c51 = arith.constant 51 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %column = arith.minsi %x, %c50 : index
    %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %zero) -> (f32) {
      %first = arith.muli %i, %c51 : index
      %j = arith.addi %first, %column : index
      %v = ocl.load %in[%j] : !ocl.ptr<f32, global>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    ocl.store %sum, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @looped(
// CHECK:         scf.if %{{.*}} -> (f32) {
// CHECK:           ocl.load %in
// CHECK:         } else {
// CHECK:           ocl.load %in

// So has each row of an array whose address is a pointer.
wg.func @pointer(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 4, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {
    %before = arith.subi %x, %c1 : index
    %left = arith.maxsi %before, %c0 : index
    %first = arith.muli %y, %c64 : index
    %row = ocl.offset %in[%first] : !ocl.ptr<f32, global>
    %v = ocl.load %row[%left] : !ocl.ptr<f32, global>
    %j = arith.addi %first, %x : index
    ocl.store %v, %out[%j] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @pointer(
// CHECK:         scf.if %{{.*}} -> (f32) {
// CHECK:           ocl.load %row
// CHECK:         } else {
// CHECK:           ocl.load %row
