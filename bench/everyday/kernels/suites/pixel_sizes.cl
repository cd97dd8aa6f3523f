//: global 512 256
//: local 16 16
//: arg r.integers(0, 256, 512 * 256 * 4, np.uint8)
//: arg np.zeros(512 * 256, np.uint8)
//: arg np.int32(512)
//: arg np.int32(0)
// Grey values of pixels in one of two formats: RGB or RGBA.
kernel void grey(global const uchar *in, global uchar *out, int width, int has_alpha) {
  size_t x = get_global_id(0), y = get_global_id(1);
  int size = has_alpha ? 4 : 3;
  global const uchar *p = in + (y * width + x) * size;
  out[y * width + x] = (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
}
