// RUN: ocl-opt %s -p "inline-functions,promote-private-memory,scf-to-cf,ocl-to-spir" -t spirv | filecheck %s

// CHECK: OpMemoryModel Physical64 OpenCL
// CHECK: OpEntryPoint Kernel %{{.*}} "saxpy"
// CHECK: OpTypePointer CrossWorkgroup
// CHECK: OpFMul
// CHECK: OpFAdd
// CHECK: OpStore
kernel void saxpy(global float4 *restrict y, const global float4 *restrict x, float a) {
  int i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
