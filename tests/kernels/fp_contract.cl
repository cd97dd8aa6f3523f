// Where contraction is off, the product is rounded before the sum.
// LAUNCH: kernel=apart global=64 local=16 args: x=rand:f32:64:-2:2 out=zeros:f32:64
// LAUNCH: kernel=apart_inside global=64 local=16 args: x=rand:f32:64x4:-2:2 out=zeros:f32:64x4

#pragma OPENCL FP_CONTRACT OFF
kernel void apart(global const float *x, global float *out) {
  size_t i = get_global_id(0);
  float square = x[i] * x[i];
  out[i] = x[i] * x[i] - square;
}
#pragma OPENCL FP_CONTRACT ON

kernel void apart_inside(global const float4 *x, global float4 *out) {
  #pragma OPENCL FP_CONTRACT OFF
  size_t i = get_global_id(0);
  float4 square = x[i] * x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = x[i] * x[i] - square;
}
