//: global 512 256
//: local 16 16
//: arg r.random(512 * 256, np.float32)
//: arg np.zeros(512 * 256, np.float32)
//: arg np.int32(512)
//: arg np.int32(256)
//: arg np.int32(7)
//: arg np.int32(1)
// An image moved along rows; an argument says what is outside: the border, a reflection, or more of
// the same.
enum { CLAMP, REFLECT, WRAP };
int inside(int i, int n, int mode) {
  if (mode == CLAMP) return clamp(i, 0, n - 1);
  if (mode == REFLECT) {
    if (i < 0) i = -i;
    if (i >= n) i = 2 * n - 2 - i;
    return i;
  }
  if (i < 0) i += n;
  if (i >= n) i -= n;
  return i;
}
kernel void shift(global const float *src, global float *dst, int w, int h, int by, int mode) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  dst[y * w + x] = src[y * w + inside(x + by, w, mode)];
}
