//: global 512
//: local 64
//: arg r.integers(0, 256, 512 * 384, np.uint8)
//: arg np.zeros(512 * 384, np.uint8)
//: arg np.int32(512)
//: arg np.int32(384)
//: arg np.int32(5)
// A running sum down each column.
__kernel void blur_v(__global const uchar *in, __global uchar *out, int w, int h, int r) {
  int x = get_global_id(0);
  if (x >= w) return;
  int sum = 0;
  for (int y = -r; y <= r; y++) sum += in[clamp(y, 0, h - 1) * w + x];
  for (int y = 0; y < h; y++) {
    out[y * w + x] = sum / (2 * r + 1);
    sum += in[min(y + r + 1, h - 1) * w + x] - in[max(y - r, 0) * w + x];
  }
}
