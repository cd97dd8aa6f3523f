//: global 512
//: local 64
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg np.zeros(524288, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
// A work-item for each row, which keeps three columns.
kernel void sobel_rows(global const uchar *in, global uchar *out, int w, int h) {
  int y = get_global_id(0);
  if (y < 1 || y >= h - 1) return;
  global const uchar *up = in + (y - 1) * w, *mid = in + y * w, *down = in + (y + 1) * w;
  for (int x = 1; x < w - 1; ++x) {
    int gx = up[x + 1] - up[x - 1] + 2 * (mid[x + 1] - mid[x - 1]) + down[x + 1] - down[x - 1];
    int gy = down[x - 1] - up[x - 1] + 2 * (down[x] - up[x]) + down[x + 1] - up[x + 1];
    int sum = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
    if (sum > 255) sum = 255;
    out[y * w + x] = (uchar)sum;
  }
}
