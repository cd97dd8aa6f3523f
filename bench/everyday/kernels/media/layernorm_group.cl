//: global 16384
//: local 64
//: arg r.random((256, 768), np.float32)
//: arg r.random(768, np.float32)
//: arg r.random(768, np.float32)
//: arg np.zeros((256, 768), np.float32)
//: arg np.int32(768)
__kernel void layernorm(__global const float *x, __global const float *gamma, __global const float *beta,
                        __global float *y, int n) {
  __local float red[64];
  int row = get_group_id(0), t = get_local_id(0);
  __global const float *xr = x + row * n;
  float s = 0;
  for (int i = t; i < n; i += get_local_size(0)) s += xr[i];
  red[t] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 32; k > 0; k >>= 1) {
    if (t < k) red[t] += red[t + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float mean = red[0] / n;
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = 0;
  for (int i = t; i < n; i += get_local_size(0)) { float d = xr[i] - mean; v += d * d; }
  red[t] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 32; k > 0; k >>= 1) {
    if (t < k) red[t] += red[t + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float rstd = rsqrt(red[0] / n + 1e-5f);
  for (int i = t; i < n; i += get_local_size(0)) y[row * n + i] = (xr[i] - mean) * rstd * gamma[i] + beta[i];
}
