// RUN: ocl-opt %s -p "tta-select-operations{operations=add,gt}" | filecheck %s

// A machine without right shifts: the two upper bits go to another word, one by one.

// CHECK-LABEL: @shift
// CHECK:         %[[FIRST:.*]] = arith.cmpi sgt, %{{.*}}, %a : i32
// CHECK:         %[[ONE:.*]] = arith.extui %[[FIRST]] : i1 to i32
// CHECK:         %[[LOWER:.*]] = arith.addi %a, %a : i32
// CHECK:         %[[TWICE:.*]] = arith.addi %[[ONE]], %[[ONE]] : i32
// CHECK:         %[[SECOND:.*]] = arith.cmpi sgt, %{{.*}}, %[[LOWER]] : i32
// CHECK:         %[[OTHER:.*]] = arith.extui %[[SECOND]] : i1 to i32
// CHECK:         arith.addi %[[TWICE]], %[[OTHER]] : i32
func.func @shift(%a: i32) -> i32 {
  %count = arith.constant 30 : i32
  %b = arith.shrui %a, %count : i32
  func.return %b : i32
}
