// RUN: ocl-opt %s -p "tta-select-operations{operations=sub}" | filecheck %s

// A machine that only subtracts: a sum is a difference with the negative.

// CHECK-LABEL: @sum
// CHECK:         %[[NEGATIVE:.*]] = arith.subi %{{.*}}, %b : i32
// CHECK:         arith.subi %a, %[[NEGATIVE]] : i32
func.func @sum(%a: i32, %b: i32) -> i32 {
  %c = arith.addi %a, %b : i32
  func.return %c : i32
}
