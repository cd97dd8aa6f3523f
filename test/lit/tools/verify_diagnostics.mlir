// RUN: OCL_INVALID
// RUN: not ocl-opt %s 2>&1 --split-input-file | filecheck %s --check-prefix=FAIL

// Errors name the line of the file, not of the part, and the operation.

func.func @f(%a: i32) {
  // CHECK: verify_diagnostics.mlir:[[# @LINE + 1]]:3: error: 'arith.addi':
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64
  func.return
}

// FAIL: verify_diagnostics.mlir:8:3: error: 'arith.addi':
// FAIL-NOT: error

// -----

func.func @g(%a: i32) {
  // CHECK: verify_diagnostics.mlir:[[# @LINE + 1]]:3: error: 'arith.addi':
  %0 = "arith.addi"(%a, %a) : (i32, i32) -> i64
  func.return
}
