//: global 128 96
//: local 16 8
//: arg r.integers(0, 256, 128 * 96 * 3, np.uint8)
//: arg np.zeros(128 * 96 * 3, np.uint8)
//: arg np.int32(128)
//: arg np.int32(96)
//: arg np.int32(4)
//: arg np.float32(0.02)
//: arg np.float32(0.001)
// Bilateral filter of packed RGB, clamped.
kernel void bilateral(global const uchar *src, global uchar *dst, int width, int height, int radius, float space, float colour) {
  int x = get_global_id(0), y = get_global_id(1);
  float3 centre = convert_float3(vload3(y * width + x, src));
  float3 sum = (float3)(0);
  float norm = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    int yy = clamp(y + dy, 0, height - 1);
    for (int dx = -radius; dx <= radius; ++dx) {
      int xx = clamp(x + dx, 0, width - 1);
      float3 p = convert_float3(vload3(yy * width + xx, src));
      float3 d = p - centre;
      float w = native_exp(-(dx * dx + dy * dy) * space - dot(d, d) * colour);
      sum += w * p;
      norm += w;
    }
  }
  vstore3(convert_uchar3_sat_rte(sum / norm), y * width + x, dst);
}
