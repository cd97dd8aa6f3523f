// Option prices on a binomial tree: what is uniform crosses barriers for nothing. A tree has as
// many work-items as it has steps and one; float4: four options a work-group.
// LAUNCH: global=68 local=17 tolerance=64ulp args: steps=16 uniform=rand:f32:4x4:0:1 out=zeros:f32:4x4 even=local:272 odd=local:272
// LAUNCH: global=10 local=5 tolerance=64ulp args: steps=4 uniform=rand:f32:2x4:0:1 out=zeros:f32:2x4 even=local:80 odd=local:80

#pragma OPENCL FP_CONTRACT OFF

kernel void binomial_options(int steps, global const float4 *uniform, global float4 *out,
                             local float4 *even, local float4 *odd) {
  uint tid = get_local_id(0);
  uint option = get_group_id(0);
  float4 r = uniform[option];
  float4 price = (1.0f - r) * 5.0f + r * 30.0f;
  float4 strike = (1.0f - r) * 1.0f + r * 100.0f;
  float4 years = (1.0f - r) * 0.25f + r * 10.0f;
  float4 dt = years * (1.0f / (float)steps);
  float4 up_factor = 0.3f * sqrt(dt);
  float4 growth = exp(0.02f * dt);
  float4 discount = 1.0f / growth;
  float4 u = exp(up_factor), d = 1.0f / u;
  float4 up = (growth - d) / (u - d), down = 1.0f - up;
  float4 discounted_up = up * discount, discounted_down = down * discount;

  float4 leaf = price * exp(up_factor * (2.0f * tid - (float)steps)) - strike;
  even[tid] = max(leaf, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = steps; j > 0; j -= 2) {
    if (tid < j)
      odd[tid] = discounted_up * even[tid] + discounted_down * even[tid + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < j - 1)
      even[tid] = discounted_up * odd[tid] + discounted_down * odd[tid + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (tid == 0)
    out[option] = even[0];
}
