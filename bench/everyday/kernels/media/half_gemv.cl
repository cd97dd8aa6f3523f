//: global 16384
//: local 64
//: arg (r.random((256, 1024)) - 0.5).astype(np.float16)
//: arg r.random(1024, np.float32)
//: arg np.zeros(256, np.float32)
//: arg np.int32(1024)
// A group for each row, four halves at a time.
kernel void gemv(global const half *w, global const float *x, global float *y, int cols) {
  local float part[64];
  int row = get_group_id(0), l = get_local_id(0);
  global const half *wr = w + (size_t)row * cols;
  float s = 0;
  for (int k = l * 4; k < cols; k += 64 * 4) {
    float4 a = vload_half4(0, wr + k);
    float4 b = vload4(0, x + k);
    s += dot(a, b);
  }
  part[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 32; k; k /= 2) {
    if (l < k) part[l] += part[l + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) y[row] = part[0];
}
