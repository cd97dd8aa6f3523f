//: global 56 56 32
//: local 8 8 1
//: arg r.random(32 * 112 * 112, np.float32)
//: arg np.zeros(32 * 56 * 56, np.float32)
//: arg np.int32(112)
//: arg np.int32(112)
//: arg np.int32(5)
//: arg np.int32(2)
//: arg np.int32(2)
// Mean pooling with padding and stride, in which only what is inside counts.
kernel void avgpool(global const float *in, global float *out, int iw, int ih, int size, int stride, int pad) {
  int ox = get_global_id(0), oy = get_global_id(1), c = get_global_id(2);
  int ow = get_global_size(0), oh = get_global_size(1);
  int x0 = ox * stride - pad, y0 = oy * stride - pad;
  float s = 0.0f;
  int n = 0;
  for (int dy = 0; dy < size; dy++) {
    int y = y0 + dy;
    if (y < 0 || y >= ih) continue;
    for (int dx = 0; dx < size; dx++) {
      int x = x0 + dx;
      if (x < 0 || x >= iw) continue;
      s += in[(c * ih + y) * iw + x];
      n++;
    }
  }
  out[(c * oh + oy) * ow + ox] = n ? s / n : 0.0f;
}
