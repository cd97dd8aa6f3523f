// RUN: OCL_INVALID

// CHECK: [[# @LINE + 1]]:1: error: expected an array size of at least 1, got 0
func.func private @f(!pattern.array<0, f32>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: an array cannot have elements of type memref<4xf32>; expected a scalar, a vector of one dimension, a tuple or an array
func.func private @f(!pattern.array<N, memref<4xf32>>)

// -----

// CHECK: [[# @LINE + 1]]:40: error: a size cannot be divided by 0
func.func private @f(!pattern.array<N/0, f32>)

// -----

// CHECK: [[# @LINE + 1]]:39: error: expected a size: an integer, a variable, or a sum of products of them
func.func private @f(!pattern.array<N*, f32>)

// -----

// CHECK: [[# @LINE + 1]]:78: error: expected 'min' or 'divisible_by', got 'divides'
func.func private @f() attributes {pattern.sizes = [#pattern.size<N, divides = 4>]}

// -----

// CHECK: [[# @LINE + 1]]:1: error: expected 'min' and 'divisible_by' to be at least 1
func.func private @f() attributes {pattern.sizes = [#pattern.size<N, divisible_by = 0>]}
