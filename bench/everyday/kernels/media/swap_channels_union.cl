//: global 524288
//: local 256
//: arg r.integers(0, 1 << 32, 524288, np.uint32)
//: arg np.zeros(524288, np.uint32)
typedef union { uint word; uchar byte[4]; } Pixel;
__kernel void argb_to_bgra(__global const uint *in, __global uint *out) {
  int i = get_global_id(0);
  Pixel a, b;
  a.word = in[i];
  for (int k = 0; k < 4; k++) b.byte[k] = a.byte[3 - k];
  out[i] = b.word;
}
