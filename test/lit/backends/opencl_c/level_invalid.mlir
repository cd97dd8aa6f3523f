// RUN: not ocl-opt %s -t opencl-c 2>&1 | filecheck %s
// CHECK: level_invalid.mlir:3:1: error: OpenCL C has nothing for 'wg.func'; expected kernels and functions
wg.func @f() attributes {local_size = array<i64: 8, 2, 1>} {
  wg.return
}
