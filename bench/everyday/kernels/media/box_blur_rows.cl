//: global 384
//: local 32
//: arg r.integers(0, 256, 512 * 384, np.uint8)
//: arg np.zeros(512 * 384, np.uint8)
//: arg np.int32(512)
//: arg np.int32(384)
//: arg np.int32(5)
__kernel void blur_h(__global const uchar *in, __global uchar *out, int w, int h, int r) {
  int y = get_global_id(0);
  __global const uchar *row = in + y * w;
  int sum = row[0] * (r + 1);
  for (int i = 1; i <= r; i++) sum += row[i];
  float inv = 1.0f / (2 * r + 1);
  for (int x = 0; x < w; x++) {
    out[y * w + x] = (uchar)(sum * inv);
    int add = x + r + 1 < w ? x + r + 1 : w - 1;
    int sub = x - r > 0 ? x - r : 0;
    sum += row[add] - row[sub];
  }
}
