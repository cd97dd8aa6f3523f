//: global 512 512
//: local 16 16
//: data bits = r.integers(0, 2, (512, 512))
//: arg np.where(bits == 1, np.arange(512 * 512).reshape(512, 512) + 1, 0).astype(np.int32)
//: arg np.zeros((512, 512), np.int32)
//: arg np.int32(512)
//: arg np.int32(512)
// One step of connected components: the least label of the 8 neighbours.
kernel void label_step(global const int *labels, global int *next, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int i = y * w + x;
  int label = labels[i];
  if (label != 0) {
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        int nx = x + dx, ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
        int other = labels[ny * w + nx];
        if (other != 0 && other < label) label = other;
      }
  }
  next[i] = label;
}
