// RUN: ocl-opt %s -p ocl-expand-builtins | filecheck %s
// RUN: ocl-opt %s -p 'ocl-expand-builtins{keep-dots=true}' | filecheck %s --check-prefix=KEEP

// The dot product of the bytes of two numbers is four products. The first bytes are signed.

func.func @dot(%x: i32, %y: i32) -> i32 {
  %r = ocl.builtin "dot_4x8packed_su_int"(%x, %y) : (i32, i32) -> i32
  func.return %r : i32
}

// CHECK:       func.func @dot(%x: i32, %y: i32) -> i32 {
// CHECK-NEXT:    [[UP3:%.*]] = arith.constant 24 : i32
// CHECK-NEXT:    [[X0:%.*]] = arith.shli %x, [[UP3]] : i32
// CHECK:         [[SX0:%.*]] = arith.shrsi [[X0]], %{{.*}} : i32
// CHECK:         [[Y0:%.*]] = arith.shli %y, %{{.*}} : i32
// CHECK:         [[SY0:%.*]] = arith.shrui [[Y0]], %{{.*}} : i32
// CHECK-NEXT:    [[P0:%.*]] = arith.muli [[SX0]], [[SY0]] : i32
// CHECK:         [[P1:%.*]] = arith.muli
// CHECK-NEXT:    arith.addi [[P0]], [[P1]] : i32
// CHECK-NOT:     ocl.builtin

// KEEP:          %r = ocl.builtin "dot_4x8packed_su_int"(%x, %y) : (i32, i32) -> i32
