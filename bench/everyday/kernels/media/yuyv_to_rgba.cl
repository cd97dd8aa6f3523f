//: global 320 360
//: local 32 4
//: arg r.integers(0, 256, (320 * 360, 4), np.uint8)
//: arg np.zeros((640 * 360, 4), np.uint8)
//: arg np.int32(320)
kernel void yuyv2rgba(global const uchar4 *yuyv, global uchar4 *rgba, int pairs) {
  int x = get_global_id(0), y = get_global_id(1);
  uchar4 p = yuyv[y * pairs + x];
  float u = p.y - 128.0f, v = p.w - 128.0f;
  float r = 1.402f * v, g = -0.344136f * u - 0.714136f * v, b = 1.772f * u;
  float y0 = p.x, y1 = p.z;
  uchar4 a, c;
  a.x = convert_uchar_sat(y0 + r); a.y = convert_uchar_sat(y0 + g); a.z = convert_uchar_sat(y0 + b); a.w = 255;
  c.x = convert_uchar_sat(y1 + r); c.y = convert_uchar_sat(y1 + g); c.z = convert_uchar_sat(y1 + b); c.w = 255;
  rgba[(y * pairs + x) * 2] = a;
  rgba[(y * pairs + x) * 2 + 1] = c;
}
