//: global 512 256
//: local 16 16
//: arg r.random(512 * 256, np.float32)
//: arg np.zeros(512 * 256, np.float32)
//: arg np.int32(1)
//: arg np.int32(0)
// An image, mirrored as two arguments say, by readers and writers that test the border.
#define W 512
#define H 256
inline float2 read2(global const float *b, int2 at) {
  int2 p = at;
  p.x = max(p.x, 0);
  p.y = max(p.y, 0);
  p.x = min(p.x, W - 1);
  p.y = min(p.y, H - 1);
  return (float2)(b[p.x + p.y * W], 0);
}
inline void write2(global float *b, int2 p, float v) {
  if (p.x < 0 || p.x >= W || p.y < 0 || p.y >= H) return;
  b[p.x + p.y * W] = v;
}
kernel void mirror(global const float *src, global float *dst, const int flip_x, const int flip_y) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int width = get_global_size(0), height = get_global_size(1);
  const int2 from = (int2)(flip_x ? width - 1 - x : x, flip_y ? height - 1 - y : y);
  write2(dst, (int2)(x, y), read2(src, from).x);
}
