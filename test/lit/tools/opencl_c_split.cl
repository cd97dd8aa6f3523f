// RUN: OCL_INVALID

// Each part is a program of its own; its errors name the line of the file.

// CHECK: ocl.kernel @first
kernel void first() {}

// -----

kernel void second() {
  // CHECK: opencl_c_split.cl:[[# @LINE + 1]]:3: error: {{.*}}missing
  missing();
}

// -----

// CHECK: ocl.kernel @third
kernel void third() {}
