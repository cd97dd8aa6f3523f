//: global 480 320
//: local 16 16
//: arg r.integers(0, 256, 480 * 320, np.uint8)
//: arg np.zeros(480 * 320, np.uint32)
//: arg np.int32(480)
//: arg np.int32(320)
// Census of 5 x 5 pixels, with reads that mirror with the edge (reflect) by while.
static int reflect(int i, int n) {
  while (i < 0 || i >= n) {
    if (i < 0) i = -1 - i;
    else i = 2 * n - 1 - i;
  }
  return i;
}
kernel void census(global const uchar *img, global uint *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  uchar centre = img[y * w + x];
  uint bits = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      if (dx == 0 && dy == 0) continue;
      uchar v = img[reflect(y + dy, h) * w + reflect(x + dx, w)];
      bits = (bits << 1) | (v < centre);
    }
  out[y * w + x] = bits;
}
