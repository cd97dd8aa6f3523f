//: global 131072
//: local 64
//: arg r.integers(0, 256, (131072, 4), np.uint8)
//: arg np.zeros((131072, 4), np.uint8)
//: arg r.integers(0, 256, 256, np.uint8)
//: arg np.int32(131072)
__kernel void gamma(__global uchar4 *in, __global uchar4 *out, __constant uchar *lut, int count) {
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    uchar4 p = in[i];
    out[i] = (uchar4)(lut[p.s0], lut[p.s1], lut[p.s2], p.s3);
  }
}
