//: global 1024 512
//: local 16 16
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg np.zeros(524288, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
// Edges of a grey picture; the border stays black.
__kernel void sobel(__global const uchar *in, __global uchar *out, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int a = in[(y - 1) * width + x - 1], b = in[(y - 1) * width + x], c = in[(y - 1) * width + x + 1];
  int d = in[y * width + x - 1], f = in[y * width + x + 1];
  int g = in[(y + 1) * width + x - 1], h = in[(y + 1) * width + x], i = in[(y + 1) * width + x + 1];
  int gx = c + 2 * f + i - a - 2 * d - g;
  int gy = g + 2 * h + i - a - 2 * b - c;
  int m = abs(gx) + abs(gy);
  out[y * width + x] = m > 255 ? 255 : m;
}
