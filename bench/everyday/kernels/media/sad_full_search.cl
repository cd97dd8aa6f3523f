//: global 40 22
//: local 8 2
//: arg r.integers(0, 256, 640 * 360, np.uint8)
//: arg r.integers(0, 256, 640 * 360, np.uint8)
//: arg np.zeros((40 * 22, 2), np.int16)
//: arg np.int32(640)
//: arg np.int32(360)
// A 16 x 16 block each, +-4 pixels.
__kernel void motion(__global const uchar *cur, __global const uchar *ref, __global short2 *mv, int w, int h) {
  int bx = get_global_id(0) * 16, by = get_global_id(1) * 16;
  uint best = UINT_MAX;
  short2 v = (short2)(0, 0);
  for (int dy = -4; dy <= 4; dy++)
    for (int dx = -4; dx <= 4; dx++) {
      int rx = bx + dx, ry = by + dy;
      if (rx < 0 || ry < 0 || rx + 16 > w || ry + 16 > h) continue;
      uint sad = 0;
      for (int j = 0; j < 16; j++) {
        for (int i = 0; i < 16; i++)
          sad += abs_diff(cur[(by + j) * w + bx + i], ref[(ry + j) * w + rx + i]);
        if (sad >= best) break;
      }
      if (sad < best) { best = sad; v = (short2)(dx, dy); }
    }
  mv[get_global_id(1) * get_global_size(0) + get_global_id(0)] = v;
}
