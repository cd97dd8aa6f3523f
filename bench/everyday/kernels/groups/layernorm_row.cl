//: global 65536
//: local 128
//: arg r.random(512 * 768, np.float32)
//: arg r.random(768, np.float32)
//: arg r.random(768, np.float32)
//: arg np.zeros(512 * 768, np.float32)
//: arg np.uint32(768)
//: arg np.float32(1e-5)
// Mean and variance of a row by a helper with a tree of pairs of sums.
float2 group_sum(float2 v, __local float2 *buf) {
  uint l = get_local_id(0);
  buf[l] = v;
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) buf[l] += buf[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return buf[0];
}
__kernel void layer_norm(__global const float *x, __global const float *gamma, __global const float *beta,
                         __global float *y, uint dim, float eps) {
  __local float2 buf[128];
  uint row = get_group_id(0);
  float2 acc = (float2)(0.0f);
  for (uint i = get_local_id(0); i < dim; i += get_local_size(0)) {
    float v = x[row * dim + i];
    acc += (float2)(v, v * v);
  }
  acc = group_sum(acc, buf);
  float mean = acc.x / dim, var = acc.y / dim - mean * mean;
  float scale = rsqrt(var + eps);
  for (uint i = get_local_id(0); i < dim; i += get_local_size(0))
    y[row * dim + i] = (x[row * dim + i] - mean) * scale * gamma[i] + beta[i];
}
