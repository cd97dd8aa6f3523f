//: global 640 360
//: local 32 8
//: arg r.integers(0, 256, 320 * 180, np.uint8)
//: arg np.zeros(640 * 360, np.uint8)
//: arg np.int32(320)
//: arg np.int32(180)
// Twice as large: weights 9, 3, 3, 1.
kernel void upsample_chroma(global const uchar *c, global uchar *full, int cw, int ch) {
  int x = get_global_id(0), y = get_global_id(1);
  int cx = x >> 1, cy = y >> 1;
  int nx = clamp(cx + ((x & 1) ? 1 : -1), 0, cw - 1);
  int ny = clamp(cy + ((y & 1) ? 1 : -1), 0, ch - 1);
  int v = 9 * c[cy * cw + cx] + 3 * c[cy * cw + nx] + 3 * c[ny * cw + cx] + c[ny * cw + nx];
  full[y * cw * 2 + x] = (v + 8) >> 4;
}
