//: global 320 240
//: local 8 8
//: data RGB = np.dtype([('r', np.uint8), ('g', np.uint8), ('b', np.uint8)])
//: arg r.integers(0, 256, 320 * 240 * 3, np.uint8).view(RGB)
//: arg np.zeros(320 * 240, RGB)
//: arg np.int32(320)
//: arg np.int32(240)
// A blur of 3 x 3 of structs of three bytes, coordinates are wrapped by a function.
typedef struct { uchar r, g, b; } Rgb;
int wrap(int v, int n) { return ((v % n) + n) % n; }
kernel void blur(global const Rgb *in, global Rgb *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int r = 0, g = 0, b = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      Rgb p = in[wrap(y + dy, h) * w + wrap(x + dx, w)];
      r += p.r;
      g += p.g;
      b += p.b;
    }
  Rgb q = {(uchar)(r / 9), (uchar)(g / 9), (uchar)(b / 9)};
  out[y * w + x] = q;
}
