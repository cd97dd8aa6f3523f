// RUN: ocl-opt %s -p count-up{distinct=true} | filecheck %s
// RUN: ocl-opt %s -p count-up | filecheck %s --check-prefix=MAY

// A row that is written from its end: no iteration reads what another one writes, if the buffers do not overlap.
ocl.kernel @row(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %size: i32 {ocl.name = "size"}) {
  %n = arith.index_cast %size : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %left = arith.subi %n, %k : index
    %i = arith.subi %left, %c1 : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @row(
// CHECK:         scf.for %k = %c0 to %n step %c1 {
// CHECK-NEXT:      arith.constant 1
// CHECK-NEXT:      %[[LAST:.*]] = arith.subi %n, %{{.*}} : index
// CHECK-NEXT:      %[[TURNED:.*]] = arith.subi %[[LAST]], %k : index
// CHECK-NEXT:      %left = arith.subi %n, %[[TURNED]] : index

// Parameters may overlap, where nothing is known of them.
// MAY-LABEL: ocl.kernel @row(
// MAY:         scf.for
// MAY-NEXT:      %left = arith.subi %n, %k : index

// Each iteration reads the element that the one before it has written.
func.func @chain(%x: !ocl.ptr<f32, global>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %above = arith.subi %n, %k : index
    %i = arith.subi %above, %c1 : index
    %v = ocl.load %x[%above] : !ocl.ptr<f32, global>
    ocl.store %v, %x[%i] : !ocl.ptr<f32, global>
  }
  func.return
}

// CHECK-LABEL: func.func @chain(
// CHECK:         scf.for
// CHECK-NEXT:      %above = arith.subi %n, %k : index

// Each iteration reads the upper half of a number that the one before it has written.
func.func @halves(%x: !ocl.ptr<i16, global>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %left = arith.subi %n, %k : index
    %i = arith.subi %left, %c1 : index
    %place = ocl.offset %x[%i] : !ocl.ptr<i16, global>
    %word = ocl.cast %place : !ocl.ptr<i16, global> to !ocl.ptr<i32, global>
    %v = ocl.load %word : !ocl.ptr<i32, global>
    %half = arith.trunci %v : i32 to i16
    ocl.store %half, %x[%i] : !ocl.ptr<i16, global>
  }
  func.return
}

// CHECK-LABEL: func.func @halves(
// CHECK:         scf.for
// CHECK-NEXT:      %left = arith.subi %n, %k : index
