// RUN: OCL_INVALID

// CHECK: [[# @LINE + 1]]:1: error: context slot cannot have type memref<4xf32>
func.func private @a(!wg.context<memref<4xf32>>)

// -----

// CHECK: [[# @LINE + 1]]:34: error: type expected
func.func private @a(!wg.context<>)
