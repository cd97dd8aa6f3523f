//: global 262144
//: local 128
//: arg r.integers(0, 256, (262144, 4), np.uint8).view([(k, "u1") for k in "rgba"])
//: arg r.integers(0, 256, (262144, 4), np.uint8).view([(k, "u1") for k in "rgba"])
//: arg np.int32(262144)
struct pixel { unsigned char r, g, b, a; };
unsigned char mul255(int a, int b) {
  int t = a * b + 128;
  return (t + (t >> 8)) >> 8;
}
// dst = src over dst, both not premultiplied: src is multiplied here
__kernel void over(__global const struct pixel *src, __global struct pixel *dst, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  struct pixel s = src[i], d = dst[i];
  s.r = mul255(s.r, s.a);
  s.g = mul255(s.g, s.a);
  s.b = mul255(s.b, s.a);
  int inv = 255 - s.a;
  d.r = min(255, s.r + mul255(d.r, inv));
  d.g = min(255, s.g + mul255(d.g, inv));
  d.b = min(255, s.b + mul255(d.b, inv));
  d.a = min(255, s.a + mul255(d.a, inv));
  dst[i] = d;
}
