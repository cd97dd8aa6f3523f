//: global 512 256
//: local 32 8
//: arg np.repeat(np.repeat(r.integers(0, 4, 64 * 32), 8).reshape(32, 512), 8, 0).astype(np.float32)
//: arg np.zeros(512 * 256, np.float32)
// Pixels whose neighbours have another label.
#define W 512
#define H 256
inline float label_at(global const float *b, int x, int y) {
  int2 p = (int2)(x, y);
  p.x = max(p.x, 0);
  p.y = max(p.y, 0);
  p.x = min(p.x, W - 1);
  p.y = min(p.y, H - 1);
  return b[p.x + p.y * W];
}
kernel void edges(global const float *src, global float *dst) {
  const int i = get_global_id(0), j = get_global_id(1);
  float center = label_at(src, i, j);
  float value = 0;
  if (center != label_at(src, i + 1, j)) value = 1;
  else if (center != label_at(src, i - 1, j)) value = 1;
  else if (center != label_at(src, i, j + 1)) value = 1;
  else if (center != label_at(src, i, j - 1)) value = 1;
  dst[i + j * W] = value;
}
