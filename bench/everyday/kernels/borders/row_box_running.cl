//: global 512
//: local 64
//: arg r.random(512 * 256, np.float32)
//: arg np.zeros(512 * 256, np.float32)
//: arg np.int32(512)
//: arg np.int32(256)
//: arg np.int32(5)
// A running mean down each column, clamped: a work-item for each column.
kernel void box_columns(global const float *in, global float *out, int w, int h, int r) {
  int x = get_global_id(0);
  if (x >= w) return;
  float sum = in[x] * r;
  for (int y = 0; y < r; y++) sum += in[min(y, h - 1) * w + x];
  float scale = 1.0f / (2 * r + 1);
  for (int y = 0; y < h; y++) {
    int enter = y + r < h ? y + r : h - 1;
    int leave = y - r - 1 >= 0 ? y - r - 1 : 0;
    sum += in[enter * w + x];
    if (y > 0) sum -= in[leave * w + x];
    out[y * w + x] = sum * scale;
  }
}
