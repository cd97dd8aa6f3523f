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
