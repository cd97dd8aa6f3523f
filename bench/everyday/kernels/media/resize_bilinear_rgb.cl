//: global 400 300
//: local 8 4
//: arg r.integers(0, 256, 640 * 480 * 3, np.uint8)
//: arg np.zeros(400 * 300 * 3, np.uint8)
//: arg np.int32(640)
//: arg np.int32(480)
//: arg np.int32(400)
//: arg np.int32(300)
__kernel void resize_bilinear(__global const uchar *src, __global uchar *dst,
                              int sw, int sh, int dw, int dh) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= dw || y >= dh) return;
  float fx = (x + 0.5f) * ((float)sw / dw) - 0.5f;
  float fy = (y + 0.5f) * ((float)sh / dh) - 0.5f;
  int x0 = (int)floor(fx), y0 = (int)floor(fy);
  float ax = fx - x0, ay = fy - y0;
  int x1 = min(x0 + 1, sw - 1), y1 = min(y0 + 1, sh - 1);
  x0 = max(x0, 0);
  y0 = max(y0, 0);
  for (int c = 0; c < 3; c++) {
    float a = src[(y0 * sw + x0) * 3 + c], b = src[(y0 * sw + x1) * 3 + c];
    float d = src[(y1 * sw + x0) * 3 + c], e = src[(y1 * sw + x1) * 3 + c];
    float top = a + (b - a) * ax, bottom = d + (e - d) * ax;
    dst[(y * dw + x) * 3 + c] = (uchar)(top + (bottom - top) * ay + 0.5f);
  }
}
