//: global 524288
//: local 256
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg np.zeros(524288, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
// One index for the whole picture.
kernel void sobel(global uchar const *restrict in, global uchar *restrict out, int w, int h) {
  size_t i = get_global_id(0);
  int x = i % w, y = i / w;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    out[i] = 0;
    return;
  }
  global const uchar *p = in + i;
  int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[w - 1];
  int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[1 - w];
  out[i] = min(255u, (abs(gx) + abs(gy)) >> 1);
}
