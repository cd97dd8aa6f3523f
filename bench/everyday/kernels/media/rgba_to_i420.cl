//: global 320 180
//: local 8 4
//: arg r.integers(0, 256, (640 * 360, 4), np.uint8)
//: arg np.zeros(640 * 360 * 3 // 2, np.uint8)
//: arg np.uint32(640)
//: arg np.uint32(360)
// One work-item for each block of 2 x 2 pixels.
uchar luma(uchar4 p) { return (uchar)(((66 * p.x + 129 * p.y + 25 * p.z + 128) >> 8) + 16); }
kernel void rgba_to_i420(global const uchar4 *src, global uchar *dst, uint w, uint h) {
  uint bx = get_global_id(0), by = get_global_id(1);
  uint x = bx * 2, y = by * 2;
  uchar4 p00 = src[y * w + x], p01 = src[y * w + x + 1];
  uchar4 p10 = src[(y + 1) * w + x], p11 = src[(y + 1) * w + x + 1];
  dst[y * w + x] = luma(p00);
  dst[y * w + x + 1] = luma(p01);
  dst[(y + 1) * w + x] = luma(p10);
  dst[(y + 1) * w + x + 1] = luma(p11);
  int4 s = convert_int4(p00) + convert_int4(p01) + convert_int4(p10) + convert_int4(p11);
  s = (s + 2) >> 2;
  global uchar *u = dst + w * h;
  global uchar *v = u + w * h / 4;
  u[by * (w / 2) + bx] = convert_uchar_sat(((-38 * s.x - 74 * s.y + 112 * s.z + 128) >> 8) + 128);
  v[by * (w / 2) + bx] = convert_uchar_sat(((112 * s.x - 94 * s.y - 18 * s.z + 128) >> 8) + 128);
}
