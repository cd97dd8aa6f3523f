//: global 262144
//: local 64
//: data P = np.dtype([("r", "u1"), ("g", "u1"), ("b", "u1"), ("a", "u1")])
//: arg r.integers(0, 256, 4 << 18, np.uint8).view(P)
//: arg r.integers(0, 256, 4 << 18, np.uint8).view(P)
//: arg np.zeros(1 << 18, P)
//: arg np.int32(1 << 18)
// Porter and Duff's "over" with straight alpha.
typedef struct { uchar r, g, b, a; } Pixel;

static uchar over(uchar s, uchar d, int sa, int da, int oa) {
  if (oa == 0) return 0;
  return (s * sa * 255 + d * da * (255 - sa)) / (oa * 255);
}

kernel void alpha_blend(global const Pixel *src, global const Pixel *dst, global Pixel *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    Pixel s = src[i];
    Pixel d = dst[i];
    int oa = s.a + d.a * (255 - s.a) / 255;
    Pixel o;
    o.r = over(s.r, d.r, s.a, d.a, oa);
    o.g = over(s.g, d.g, s.a, d.a, oa);
    o.b = over(s.b, d.b, s.a, d.a, oa);
    o.a = (uchar)oa;
    out[i] = o;
  }
}
