// RUN: ocl-opt %s -p ocl-insert-checks --split-input-file | filecheck %s

// A pointer to one of two objects: their numbers are chosen as the pointer is, and decide which object
// an access is checked for. There it is computed from the start of the object.
// CHECK-LABEL: ocl.kernel @choose
// CHECK:         %p = arith.select %c, %x, %y
// CHECK-NEXT:    %[[TAG:.*]] = arith.select %c, %[[X:.*]], %[[Y:.*]] : i32
// CHECK-NEXT:    %[[IS_X:.*]] = arith.cmpi eq, %[[TAG]], %[[X]] : i32
// CHECK-NEXT:    scf.if %[[IS_X]] -> (i32) {
// CHECK:           ocl.cast %x :
// CHECK:           ocl.load
// CHECK:           %[[IS_Y:.*]] = arith.cmpi eq, %[[TAG]], %[[Y]] : i32
// CHECK-NEXT:      scf.if %[[IS_Y]] -> (i32) {
// CHECK:             ocl.cast %y :
// CHECK:             ocl.load
// A null pointer.
// CHECK:             ocl.store %{{.*}}, %suspects
ocl.kernel @choose(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %y: !ocl.ptr<i32, global> {ocl.name = "y"}, %b: i8 {ocl.name = "b"}) {
  %zero = arith.constant 0 : i8
  %c = arith.cmpi ne, %b, %zero : i8
  %i = ocl.global_id 0 : index
  %p = arith.select %c, %x, %y : !ocl.ptr<i32, global>
  %v = ocl.load %p[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// -----

// All iterations read and write one place: it is checked once, before the loop if that has an
// iteration. The read is checked as the write is (2) that follows it.
// CHECK-LABEL: ocl.kernel @add
// CHECK:         %[[ANY:.*]] = arith.cmpi slt, %c0, %n : index
// CHECK:         %[[OK:.*]] = arith.cmpi ult
// CHECK:         scf.if %[[ANY]] {
// CHECK-NEXT:      scf.if %[[OK]] {
// CHECK:             %[[WRITE:.*]] = arith.constant 2 : i32
// CHECK-NEXT:        func.call @check.shared_by_all(%{{.*}}, %{{.*}}, %{{.*}}, %[[WRITE]], %suspects)
// CHECK:           %[[NOT_OK:.*]] = arith.xori %[[OK]]
// CHECK-NEXT:      scf.if %[[NOT_OK]] {
// CHECK-NEXT:        ocl.store %{{.*}}, %suspects
// Where it is right, the loop runs without guards.
// CHECK:         scf.if %[[OK]] {
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        %v = ocl.load %x[%at]
// CHECK-NEXT:        %w = arith.addi
// CHECK-NEXT:        ocl.store %w, %x[%at]
// CHECK:         } else {
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        %{{.*}} = scf.if %[[OK]] -> (i32) {
// CHECK-NEXT:          ocl.load %x[%at]
// CHECK:             scf.if %[[OK]] {
// CHECK-NEXT:          ocl.store %{{.*}}, %x[%at]
ocl.kernel @add(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %size: i64 {ocl.name = "size"}, %place: i64 {ocl.name = "place"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.index_cast %size : i64 to index
  %at = arith.index_cast %place : i64 to index
  scf.for %k = %c0 to %n step %c1 {
    %v = ocl.load %x[%at] : !ocl.ptr<i32, global>
    %w = arith.addi %v, %v : i32
    ocl.store %w, %x[%at] : !ocl.ptr<i32, global>
  }
  ocl.return
}
