//: global 65536
//: local 256
//: arg r.integers(0, 256, 256 * 256, np.uint8)
//: arg np.zeros(256 * 256, np.uint32)
//: arg np.int32(256)
// A group for each row: inclusive sums.
__kernel void row_sums(__global const uchar *img, __global uint *out, int w) {
  __local uint tmp[2][256];
  int row = get_group_id(0), l = get_local_id(0), n = get_local_size(0);
  int in = 0;
  tmp[0][l] = img[row * w + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < n; d *= 2) {
    uint v = tmp[in][l];
    if (l >= d) v += tmp[in][l - d];
    in = 1 - in;
    tmp[in][l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * w + l] = tmp[in][l];
}
