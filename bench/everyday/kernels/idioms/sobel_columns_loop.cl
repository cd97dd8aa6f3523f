//: global 1024 16
//: local 64 4
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg np.zeros(524288, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
// Each work-item goes down 32 rows of its column, with the last rows in variables.
kernel void sobel(global const uchar *in, global uchar *out, int w, int h) {
  int x = get_global_id(0), n = h / get_global_size(1), first = get_global_id(1) * n;
  int l = max(x - 1, 0), r = min(x + 1, w - 1);
  int above = max(first - 1, 0);
  int a0 = in[above * w + l], a1 = in[above * w + x], a2 = in[above * w + r];
  int b0 = in[first * w + l], b1 = in[first * w + x], b2 = in[first * w + r];
  for (int y = first; y < first + n; y++) {
    int below = min(y + 1, h - 1);
    int c0 = in[below * w + l], c1 = in[below * w + x], c2 = in[below * w + r];
    int gx = a2 + 2 * b2 + c2 - a0 - 2 * b0 - c0, gy = c0 + 2 * c1 + c2 - a0 - 2 * a1 - a2;
    out[y * w + x] = min(abs(gx) + abs(gy), 255u);
    a0 = b0; a1 = b1; a2 = b2;
    b0 = c0; b1 = c1; b2 = c2;
  }
}
