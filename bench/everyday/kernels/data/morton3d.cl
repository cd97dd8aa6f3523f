//: global 131072
//: local 256
//: arg (r.random(3 * 131072, np.float32)).view([(n, np.float32) for n in "xyz"])
//: arg np.zeros(131072, np.uint32)
//: arg np.int32(131072)
// Codes of points in the unit cube, 10 bits a coordinate.
typedef struct { float x, y, z; } Point;

uint expand(uint v) {
  v = (v * 0x00010001u) & 0xFF0000FFu;
  v = (v * 0x00000101u) & 0x0F00F00Fu;
  v = (v * 0x00000011u) & 0xC30C30C3u;
  v = (v * 0x00000005u) & 0x49249249u;
  return v;
}

__kernel void morton(__global const Point *points, __global uint *codes, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  Point p = points[i];
  float x = min(max(p.x * 1024.0f, 0.0f), 1023.0f);
  float y = min(max(p.y * 1024.0f, 0.0f), 1023.0f);
  float z = min(max(p.z * 1024.0f, 0.0f), 1023.0f);
  codes[i] = expand((uint)x) * 4 + expand((uint)y) * 2 + expand((uint)z);
}
