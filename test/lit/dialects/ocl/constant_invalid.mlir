// RUN: OCL_INVALID

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.constant': expected a constant of type f32, got 1 : i32
ocl.constant @c : f32 = 1 : i32

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.constant': expected 3 values for !ocl.array<3 x f32>, got [1.000000e+00 : f32]
ocl.constant @c : !ocl.array<3 x f32> = [1.0 : f32]

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.constant': expected a constant of type f32, got 1.000000e+00 : f64
ocl.constant @c : !ocl.array<2 x f32> = [1.0 : f32, 1.0 : f64]

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.constant': a pointer in program-scope data is 0 : i64 or [@c, OFFSET : i64], got 1 : i64
ocl.constant @c : !ocl.ptr<f32, global> = 1 : i64

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.constant': program-scope data cannot have type index
ocl.constant @c : index = 1 : index

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.constant': program-scope data cannot have type i1; a C bool is i8 in memory
ocl.constant @c : i1 = true

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.constant': expected a constant of type f32, got "x"
ocl.constant @c : f32 = "x"

// -----

ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.address_of': no ocl.constant named @nothing
  %0 = ocl.address_of @nothing : !ocl.ptr<f32, constant>
  ocl.return
}

// -----

ocl.constant @c : f32 = 1.0 : f32
ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.address_of': program-scope data is in the constant address space, got !ocl.ptr<f32, global>
  %0 = ocl.address_of @c : !ocl.ptr<f32, global>
  ocl.return
}

// -----

ocl.constant @c : f32 = 1.0 : f32
ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.address_of': @c has type f32, the pointer's pointee is f64
  %0 = ocl.address_of @c : !ocl.ptr<f64, constant>
  ocl.return
}

// -----

ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.address_of': no ocl.constant named @k
  %0 = ocl.address_of @k : !ocl.ptr<f64, constant>
  ocl.return
}

// -----

// Only an address of the data itself.
// CHECK: [[# @LINE + 1]]:1: error: 'ocl.constant': a pointer in program-scope data is 0 : i64 or [@c, OFFSET : i64], got [@d, 4 : i64]
ocl.constant @c : !ocl.ptr<f32, global> = [@d, 4 : i64]
