//: global 2048
//: local 128
//: arg r.random((16, 64, 256), np.float32)
//: arg np.zeros((16, 64, 256), np.float32)
//: arg np.int32(8)
//: arg np.int32(256)
// A group of 128 for each (image, norm group): `int at += get_local_size(0)`.
kernel void group_norm(global const float *x, global float *y, int per, int hw) {
  local float sums[128], squares[128];
  int lid = get_local_id(0), size = per * hw;
  int start = get_group_id(0) * size * 8, end = start + size * 8;
  float s = 0, q = 0;
  int at = start + lid;
  while (at < end) {
    float v = x[at];
    s += v;
    q += v * v;
    at += get_local_size(0);
  }
  sums[lid] = s;
  squares[lid] = q;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid == 0) {
    for (int k = 1; k < 128; k++) { sums[0] += sums[k]; squares[0] += squares[k]; }
    float mean = sums[0] / (end - start);
    sums[0] = mean;
    squares[0] = 1.0f / sqrt(squares[0] / (end - start) - mean * mean + 1e-6f);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float mean = sums[0], inv = squares[0];
  for (at = start + lid; at < end; at += get_local_size(0)) y[at] = (x[at] - mean) * inv;
}
