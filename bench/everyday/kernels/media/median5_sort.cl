//: global 128 128
//: local 16 8
//: arg r.integers(0, 256, 128 * 128, np.uint8)
//: arg np.zeros(128 * 128, np.uint8)
//: arg np.int32(128)
//: arg np.int32(128)
__kernel void median5x5(__global const uchar *in, __global uchar *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  uchar window[25];
  int n = 0;
  for (int dy = -2; dy <= 2; dy++) {
    for (int dx = -2; dx <= 2; dx++) {
      int xx = clamp(x + dx, 0, width - 1);
      int yy = clamp(y + dy, 0, height - 1);
      window[n++] = in[yy * width + xx];
    }
  }
  for (int i = 0; i <= 12; i++) {
    int least = i;
    for (int j = i + 1; j < 25; j++)
      if (window[j] < window[least]) least = j;
    uchar t = window[i];
    window[i] = window[least];
    window[least] = t;
  }
  out[y * width + x] = window[12];
}
