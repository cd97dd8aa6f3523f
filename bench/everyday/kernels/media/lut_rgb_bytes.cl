//: global 131072
//: local 128
//: arg r.integers(0, 256, 131072 * 3, np.uint8)
//: arg np.zeros(131072 * 3, np.uint8)
//: arg r.integers(0, 256, 768, np.uint8)
__kernel void tone_curve(__global const uchar *in, __global uchar *out, __global const uchar *curve) {
  int i = get_global_id(0);
  out[3 * i] = curve[in[3 * i]];
  out[3 * i + 1] = curve[256 + in[3 * i + 1]];
  out[3 * i + 2] = curve[512 + in[3 * i + 2]];
}
