// RUN: ocl-opt %s -p "tta-select-operations{operations=add,sub,and,ior,xor,gt,gtu,eq,shl1_32,shru1_32,ldu8,st32,mul constants=16}" --split-input-file | filecheck %s
// RUN: not ocl-opt %s -p "tta-select-operations{operations=sub,gtu}" --split-input-file 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not ocl-opt %s -p "tta-select-operations{operations=and,ior,xor,gt,gtu,eq,shl1_32,shru1_32,ldu8,st32,mul constants=16}" --split-input-file 2>&1 | filecheck %s --check-prefix=LOAD

// Comparisons are swapped or inverted.
// CHECK-LABEL: @compare
func.func @compare(%a: i32, %b: i32) -> i1 {
  // CHECK: %[[LESS:.*]] = arith.cmpi ugt, %b, %a : i32
  %less = arith.cmpi ult, %a, %b : i32
  // CHECK: %[[MORE:.*]] = arith.cmpi sgt, %a, %b : i32
  // CHECK: arith.xori %[[MORE]], %{{.*}} : i1
  // REFUSED: 'arith.cmpi' needs 'le', which can be replaced only by 'xor': no unit of the machine does it
  %most = arith.cmpi sle, %a, %b : i32
  %both = arith.andi %less, %most : i1
  // A conversion to bits, and comparisons of these.
  func.return %both : i1
}

// -----

// A shift by a constant is made of steps; a left shift by one is a shift or a sum.
// CHECK-LABEL: @shift
// CHECK:         tta.compute "shru1_32"
// CHECK-NEXT:    tta.compute "shru1_32"
// CHECK-NEXT:    tta.compute "shl1_32"
func.func @shift(%a: i32) -> i32 {
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %b = arith.shrui %a, %two : i32
  %c = arith.shli %b, %one : i32
  func.return %c : i32
}

// -----

// The load that the machine has extends with zeros.
// CHECK-LABEL: @load
// CHECK:         tta.load "ldu8" %p
// CHECK-NOT:     "ld8"
func.func @load(%p: i32) -> i32 {
  // LOAD: 'tta.load' needs 'ld8', which can be replaced only by 'sub': no unit of the machine does it
  %x = tta.load "ld8" %p : i32
  func.return %x : i32
}

// -----

// A constant of more bits than can be moved.
// CHECK-LABEL: @constant
// CHECK:         %[[UPPER:.*]] = arith.constant 18 : i32
// CHECK:         %[[LOWER:.*]] = arith.constant 13398 : i32
// CHECK:         arith.ori %{{.*}}, %[[LOWER]] : i32
// CHECK:         arith.addi
func.func @constant(%a: i32) -> i32 {
  %c = arith.constant 1193046 : i32
  %b = arith.addi %a, %c : i32
  func.return %b : i32
}
