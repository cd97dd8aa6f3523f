//: global 65536
//: local 64
//: arg r.random(1024 * 500, np.float32)
//: arg np.zeros(1024 * 500, np.float32)
//: arg np.int32(500)
// One group for a row: largest, sum of exponentials, quotient.
__kernel void softmax(__global const float *in, __global float *out, const int cols) {
  __local float red[64];
  int lid = get_local_id(0);
  int row = get_group_id(0);
  __global const float *x = in + row * cols;
  __global float *y = out + row * cols;
  float m = -INFINITY;
  for (int c = lid; c < cols; c += get_local_size(0)) m = max(m, x[c]);
  red[lid] = m;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (lid < s) red[lid] = max(red[lid], red[lid + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  m = red[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int c = lid; c < cols; c += get_local_size(0)) sum += exp(x[c] - m);
  red[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (lid < s) red[lid] += red[lid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float inv = 1.0f / red[0];
  for (int c = lid; c < cols; c += get_local_size(0)) y[c] = exp(x[c] - m) * inv;
}
