//: global 256 512
//: local 16 16
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg np.zeros(524288, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
// Four pixels of a row at once by short4.
kernel void sobel4(global const uchar *in, global uchar *out, int w, int h) {
  int x = get_global_id(0) * 4, y = get_global_id(1);
  if (y == 0 || y == h - 1 || x == 0 || x + 4 >= w) return;
  global const uchar *p = in + y * w + x;
  short4 a = convert_short4(vload4(0, p - w - 1)), b = convert_short4(vload4(0, p - w)), c = convert_short4(vload4(0, p - w + 1));
  short4 d = convert_short4(vload4(0, p - 1)), f = convert_short4(vload4(0, p + 1));
  short4 g = convert_short4(vload4(0, p + w - 1)), i = convert_short4(vload4(0, p + w)), j = convert_short4(vload4(0, p + w + 1));
  short4 gx = c - a + (f - d) * (short4)2 + j - g;
  short4 gy = g - a + (i - b) * (short4)2 + j - c;
  vstore4(convert_uchar4_sat(abs(gx) + abs(gy)), 0, out + y * w + x);
}
