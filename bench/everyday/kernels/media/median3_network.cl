//: global 512 512
//: local 16 16
//: arg r.integers(0, 256, 512 * 512, np.uint8)
//: arg np.zeros(512 * 512, np.uint8)
//: arg np.int32(512)
//: arg np.int32(512)
#define SORT(a, b) { uchar t = a; if (a > b) { a = b; b = t; } }
__kernel void median3x3(__global const uchar *src, __global uchar *dst, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  __global const uchar *p = src + (y - 1) * w + x - 1;
  uchar v0 = p[0], v1 = p[1], v2 = p[2];
  p += w;
  uchar v3 = p[0], v4 = p[1], v5 = p[2];
  p += w;
  uchar v6 = p[0], v7 = p[1], v8 = p[2];
  SORT(v1, v2); SORT(v4, v5); SORT(v7, v8); SORT(v0, v1); SORT(v3, v4); SORT(v6, v7);
  SORT(v1, v2); SORT(v4, v5); SORT(v7, v8); SORT(v0, v3); SORT(v5, v8); SORT(v4, v7);
  SORT(v3, v6); SORT(v1, v4); SORT(v2, v5); SORT(v4, v7); SORT(v4, v2); SORT(v6, v4);
  SORT(v4, v2);
  dst[y * w + x] = v4;
}
