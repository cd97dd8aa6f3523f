//: global 512 384
//: local 16 16
//: arg r.random(512 * 384, np.float32)
//: arg np.zeros(512 * 384, np.float32)
//: arg np.int32(512)
//: arg np.int32(384)
//: arg np.int32(2)
//: arg np.float32(0.5)
// Keeps what is above a threshold and largest in its window, the window ends at the border.
kernel void suppress(global const float *score, global float *kept, int w, int h, int r, float least) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = score[y * w + x];
  bool is_max = s > least;
  int y0 = max(y - r, 0), y1 = min(y + r, h - 1);
  int x0 = max(x - r, 0), x1 = min(x + r, w - 1);
  for (int j = y0; is_max && j <= y1; j++)
    for (int i = x0; i <= x1; i++)
      if (score[j * w + i] > s) {
        is_max = false;
        break;
      }
  kept[y * w + x] = is_max ? s : 0.0f;
}
