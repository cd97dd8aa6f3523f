//: global 640 480
//: local 32 8
//: arg r.integers(0, 256, 640 * 480, np.uint8)
//: arg np.zeros(640 * 480, np.uint8)
//: arg np.array([1, 4, 6, 4, 1], np.int32)
//: arg np.int32(480)
//: arg np.int32(640)
// A 5 x 5 Gaussian over grey bytes; the border is mirrored (101).
int reflect101(int p, int len) {
  if (p < 0) return -p;
  if (p >= len) return 2 * len - p - 2;
  return p;
}

kernel void gauss(global const uchar *src, global uchar *dst, constant int *weights, int rows, int cols) {
  int c = get_global_id(0);
  int r = get_global_id(1);
  int acc = 0;
  for (int dr = -2; dr <= 2; dr++) {
    int rr = reflect101(r + dr, rows);
    global const uchar *line = src + rr * cols;
    int part = 0;
    for (int dc = -2; dc <= 2; dc++)
      part += weights[dc + 2] * line[reflect101(c + dc, cols)];
    acc += weights[dr + 2] * part;
  }
  dst[r * cols + c] = (acc + 128) >> 8;
}
