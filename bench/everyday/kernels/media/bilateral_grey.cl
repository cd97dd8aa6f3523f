//: global 128 128
//: local 16 16
//: arg r.integers(0, 256, 128 * 128, np.uint8)
//: arg np.zeros(128 * 128, np.uint8)
//: arg np.int32(128)
//: arg np.int32(128)
//: arg np.int32(3)
//: arg np.float32(0.05)
//: arg np.float32(0.0008)
__kernel void bilateral(__global uchar *in, __global uchar *out, int w, int h, int r, float ks, float kr) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= w || y >= h) return;
  float c = in[y * w + x];
  float sum = 0.f, norm = 0.f;
  for (int dy = -r; dy <= r; ++dy) {
    int yy = y + dy;
    if (yy < 0 || yy >= h) continue;
    for (int dx = -r; dx <= r; ++dx) {
      int xx = x + dx;
      if (xx < 0 || xx >= w) continue;
      float v = in[yy * w + xx];
      float wgt = exp(-(dx * dx + dy * dy) * ks - (v - c) * (v - c) * kr);
      sum += wgt * v;
      norm += wgt;
    }
  }
  out[y * w + x] = (uchar)(sum / norm + 0.5f);
}
