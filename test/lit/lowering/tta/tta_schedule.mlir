// RUN: ocl-opt %s -p "tta-schedule{machine=minimal}" | filecheck %s

// The sum goes from port to port, and never into a register: it is in the port one cycle after
// its trigger, when the store takes it.
// CHECK-LABEL: tta.program @sum on "minimal"
// CHECK: tta.instruction {
// CHECK-DAG: tta.move RF0.0 -> ALU0.
// CHECK-DAG: tta.move RF1.0 -> ALU0.
// CHECK: }
// CHECK-NEXT: tta.instruction {
// CHECK-DAG: tta.move 4 -> LSU0.in1t.st32
// CHECK-DAG: tta.move ALU0.out1 -> LSU0.in2
// CHECK: }
func.func @sum(%a : i32, %b : i32) {
  %c4 = arith.constant 4 : i32
  %sum = arith.addi %a, %b : i32
  tta.store "st32" %c4, %sum : i32
  func.return
}

// The jump back overwrites %x before it is decided, but ^meet reads it, also after the first exit:
// the loop copies it to another register.
// CHECK-LABEL: tta.program @exits on "minimal"
// CHECK: tta.block @block1 {
// CHECK-DAG: tta.move 0 -> ALU0.in1t.add
// CHECK-DAG: tta.move RF0.1 -> ALU0.in2
// CHECK: tta.move ALU0.out1 -> RF1.1
// CHECK: tta.block @block2 {
// CHECK: tta.move RF1.1 -> ALU0.in1t.add
// CHECK: tta.move ALU0.out1 -> RF0.1
// CHECK: tta.block @block4 {
// CHECK: tta.move RF1.1 -> LSU0.in2
func.func @exits(%n : i32, %a : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^loop(%c0 : i32)
^loop(%x : i32):
  %found = arith.cmpi eq, %x, %a : i32
  cf.cond_br %found, ^meet, ^again
^again:
  %x2 = arith.addi %x, %c1 : i32
  %more = arith.cmpi slt, %x2, %n : i32
  cf.cond_br %more, ^loop(%x2 : i32), ^end
^end:
  tta.store "st32" %n, %c1 : i32
  cf.br ^meet
^meet:
  tta.store "st32" %c0, %x : i32
  func.return
}
