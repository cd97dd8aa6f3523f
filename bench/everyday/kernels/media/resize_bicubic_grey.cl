//: global 320 240
//: local 32 4
//: arg r.integers(0, 256, 200 * 150, np.uint8)
//: arg np.zeros(320 * 240, np.uint8)
//: arg np.int32(200)
//: arg np.int32(150)
//: arg np.int32(320)
//: arg np.float32(0.625)
static float cubic(float x) {
  x = fabs(x);
  if (x <= 1.0f) return (1.5f * x - 2.5f) * x * x + 1.0f;
  if (x < 2.0f) return ((-0.5f * x + 2.5f) * x - 4.0f) * x + 2.0f;
  return 0.0f;
}
__kernel void bicubic(__global const unsigned char *in, __global unsigned char *out, int iw, int ih, int ow, float scale) {
  size_t ox = get_global_id(0), oy = get_global_id(1);
  float sx = ox * scale, sy = oy * scale;
  int ix = (int)sx, iy = (int)sy;
  float value = 0.0f, total = 0.0f;
  for (int j = -1; j <= 2; ++j) {
    float wy = cubic(sy - (iy + j));
    for (int i = -1; i <= 2; ++i) {
      int px = ix + i, py = iy + j;
      if (px < 0 || px >= iw || py < 0 || py >= ih) continue;
      float w = wy * cubic(sx - px);
      value += w * in[py * iw + px];
      total += w;
    }
  }
  value /= total;
  out[oy * ow + ox] = (unsigned char)clamp(value, 0.0f, 255.0f);
}
