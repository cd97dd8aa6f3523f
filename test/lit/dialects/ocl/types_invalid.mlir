// RUN: OCL_INVALID

// CHECK: [[# @LINE + 1]]:1: error: array size must be positive, got 0
func.func private @a(!ocl.array<0 x f32>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: array size must be positive, got -1
func.func private @a(!ocl.array<-1 x f32>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: array element cannot have type i1; a C bool is i8 in memory
func.func private @a(!ocl.array<2 x i1>)

// -----

// CHECK: [[# @LINE + 1]]:33: error: Expected integer literal
func.func private @a(!ocl.array<true x f32>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: pointee cannot have type i1; a C bool is i8 in memory
func.func private @a(!ocl.ptr<i1, global>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: pointee cannot have type index
func.func private @a(!ocl.ptr<index, global>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: pointee cannot have type vector<5xf32>
func.func private @a(!ocl.ptr<vector<5xf32>, global>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: pointee cannot have type vector<2x2xf32>
func.func private @a(!ocl.ptr<vector<2x2xf32>, global>)

// -----

// CHECK: [[# @LINE + 1]]:36: error: Expected `private`, `global`, `constant`, `local`, or `generic`.
func.func private @a(!ocl.ptr<f32, shared>)

// -----

// CHECK: [[# @LINE + 1]]:34: error: Expected ','
func.func private @a(!ocl.ptr<f32>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: ocl.struct has two fields named 'a'
func.func private @a(!ocl.struct<"s", {a: i8, a: i16}>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: field 'a' cannot have type i1; a C bool is i8 in memory
func.func private @a(!ocl.struct<"s", {a: i1}>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: alignment must be a power of two, got 3
func.func private @a(!ocl.struct<"s", {a: i8} align = 3>)

// -----

// CHECK: [[# @LINE + 1]]:55: error: Expected integer literal
func.func private @a(!ocl.struct<"s", {a: i8} align = -4>)

// -----

// CHECK: [[# @LINE + 1]]:34: error: string literal expected
func.func private @a(!ocl.struct<s, {a: i8}>)

// -----

// CHECK: [[# @LINE + 1]]:1: error: ocl.union has two fields named 'a'
func.func private @a(!ocl.union<"s", {a: i8, a: i8}>)
