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
