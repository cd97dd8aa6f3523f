//: global 1024 512
//: local 16 16
//: arg r.integers(0, 256, 1024 * 512, np.uint8)
//: arg np.zeros(1024 * 512, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
//: arg np.int32(4)
// Ordered dither of a grey picture to a few levels.
constant uchar bayer[64] = {
   0, 32,  8, 40,  2, 34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26,
  12, 44,  4, 36, 14, 46,  6, 38, 60, 28, 52, 20, 62, 30, 54, 22,
   3, 35, 11, 43,  1, 33,  9, 41, 51, 19, 59, 27, 49, 17, 57, 25,
  15, 47,  7, 39, 13, 45,  5, 37, 63, 31, 55, 23, 61, 29, 53, 21};

kernel void ordered_dither(global const uchar *in, global uchar *out, int w, int h, int levels) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= w || y >= h) return;
  int step = 255 / (levels - 1);
  int threshold = (bayer[(y & 7) * 8 + (x & 7)] * step) / 64;
  int v = in[y * w + x] + threshold;
  int q = v / step * step;
  out[y * w + x] = q > 255 ? 255 : q;
}
