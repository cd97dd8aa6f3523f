//: global 320 240
//: local 16 16
//: data img = r.integers(0, 256, (240, 320), np.uint8)
//: arg img.copy()
//: arg np.pad(np.cumsum(np.cumsum(img.astype(np.int64), 0), 1), ((1, 0), (1, 0))).astype(np.int32)
//: arg np.zeros((240, 320), np.uint8)
//: arg np.int32(320)
//: arg np.int32(240)
//: arg np.int32(7)
//: arg np.int32(5)
__kernel void adaptive(__global const uchar *img, __global const int *integral, __global uchar *out,
                       int cols, int rows, int radius, int offset) {
  int c = get_global_id(0), r = get_global_id(1);
  if (c >= cols || r >= rows) return;
  int x1 = max(c - radius, 0), x2 = min(c + radius + 1, cols);
  int y1 = max(r - radius, 0), y2 = min(r + radius + 1, rows);
  int s = cols + 1;
  int area = (x2 - x1) * (y2 - y1);
  int sum = integral[y2 * s + x2] - integral[y1 * s + x2] - integral[y2 * s + x1] + integral[y1 * s + x1];
  out[r * cols + c] = (img[r * cols + c] + offset) * area < sum ? 0 : 255;
}
