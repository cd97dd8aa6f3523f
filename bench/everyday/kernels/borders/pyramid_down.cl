//: global 320 240
//: local 16 16
//: arg r.integers(0, 256, 640 * 480, np.uint8)
//: arg np.zeros(320 * 240, np.uint8)
//: arg np.int32(640)
//: arg np.int32(480)
// Halves a picture after a filter of 5 x 5, the border is repeated.
constant int K[5] = {1, 4, 6, 4, 1};
uchar pixel(global const uchar *p, int x, int y, int w, int h) {
  if (x < 0) x = 0;
  if (y < 0) y = 0;
  if (x > w - 1) x = w - 1;
  if (y > h - 1) y = h - 1;
  return p[y * w + x];
}
kernel void down(global const uchar *src, global uchar *dst, int w, int h) {
  int ox = get_global_id(0), oy = get_global_id(1);
  int s = 128;
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      s += K[i] * K[j] * pixel(src, 2 * ox + i - 2, 2 * oy + j - 2, w, h);
  dst[oy * (w / 2) + ox] = s >> 8;
}
