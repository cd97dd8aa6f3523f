// RUN: ocl-opt %s -p tta-legalize | filecheck %s
// RUN: ocl-opt %s -p "tta-legalize{operations=mul,mulhiu}" | filecheck %s --check-prefix=MUL

// What wg-to-launch makes of a kernel has four arguments. In words it has none: the args block, the
// kernel's own memory and the constants have addresses, the bounds of the groups lie at 64 and 68.
// CHECK: func.func @wide() attributes {tta.args = 16512 : i32, tta.scratch = 16512 : i32
// CHECK-NEXT: %[[args:.*]] = arith.constant 16512 : i32
// CHECK: %[[begin:.*]] = tta.load "ld32"
// CHECK: %[[end:.*]] = tta.load "ld32"
func.func @wide(%args: !ocl.ptr<i64, global>, %scratch: !ocl.ptr<i8, global>, %begin: index, %end: index) {
  // An element of 8 bytes: its number, shifted, is added to the address.
  // CHECK: %[[shift:.*]] = arith.constant 3 : i32
  // CHECK: %[[at:.*]] = arith.shli %[[begin]], %[[shift]] : i32
  // CHECK: %[[address:.*]] = arith.addi %[[at]], %[[args]] : i32
  // CHECK: %[[low:.*]] = tta.load "ld32" %[[address]] {
  // CHECK: %[[high:.*]] = tta.load "ld32"
  %v = ocl.load %args[%begin] : !ocl.ptr<i64, global>
  // The sum of two pairs: the carry is what the lower words lost.
  // CHECK: %[[sum:.*]] = arith.addi %[[low]], %[[low]] : i32
  // CHECK: arith.cmpi ult, %[[sum]], %[[low]] : i32
  %w = arith.addi %v, %v : i64
  // CHECK: tta.store "st32"
  // CHECK: tta.store "st32"
  ocl.store %w, %args[%end] : !ocl.ptr<i64, global>
  func.return
}

// MUL-LABEL: func.func @narrow
// CHECK-LABEL: func.func @narrow
func.func @narrow(%args: !ocl.ptr<i8, global>, %scratch: !ocl.ptr<i8, global>, %begin: index, %end: index) {
  // The upper bits of a byte are zero; they are made so after a sum.
  // CHECK: %[[byte:.*]] = tta.load "ldu8" %{{.*}} {
  %v = ocl.load %args : !ocl.ptr<i8, global>
  // CHECK: %[[double:.*]] = arith.addi %[[byte]], %[[byte]] : i32
  // CHECK: arith.constant 255 : i32
  // CHECK: arith.andi %[[double]]
  %w = arith.addi %v, %v : i8
  // A product with a constant is shifts, sums and differences, also on a machine that multiplies:
  // 7 x = 8 x - x.
  // CHECK: arith.shli
  // CHECK: arith.subi
  %seven = arith.constant 7 : index
  %n = arith.muli %begin, %seven : index
  // MUL: tta.store "st8"
  ocl.store %w, %args[%n] : !ocl.ptr<i8, global>
  func.return
}
