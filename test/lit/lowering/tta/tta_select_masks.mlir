// RUN: ocl-opt %s -p "tta-select-operations{operations=sub,and,ior,xor guards=false}" | filecheck %s

// A machine that moves no words under guards: a mask of the condition's bit selects.

// CHECK-LABEL: @choose
// CHECK:         %[[BIT:.*]] = arith.extui %c : i1 to i32
// CHECK:         %[[MASK:.*]] = arith.subi %{{.*}}, %[[BIT]] : i32
// CHECK:         %[[DIFFER:.*]] = arith.xori %a, %b : i32
// CHECK:         %[[CHANGE:.*]] = arith.andi %[[DIFFER]], %[[MASK]] : i32
// CHECK:         arith.xori %b, %[[CHANGE]] : i32
func.func @choose(%c: i1, %a: i32, %b: i32) -> i32 {
  %x = arith.select %c, %a, %b : i32
  func.return %x : i32
}
