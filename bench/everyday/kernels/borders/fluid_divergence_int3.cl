//: global 64 48 40
//: local 8 8 4
//: arg r.random(64 * 48 * 40 * 4, np.float32)
//: arg np.zeros(64 * 48 * 40, np.float32)
//: arg np.int32(64)
//: arg np.int32(48)
//: arg np.int32(40)
// Divergence of a velocity field of float4, coordinates as int3 and clamped at once.
inline int index3(int3 p, int3 size) {
  return p.x + size.x * (p.y + size.y * p.z);
}
inline float4 fetch(global const float4 *v, int3 p, int3 size) {
  p = clamp(p, (int3)(0), size - 1);
  return v[index3(p, size)];
}
kernel void divergence(global const float4 *v, global float *d, int w, int h, int depth) {
  int3 size = (int3)(w, h, depth);
  int3 p = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
  if (any(p >= size)) return;
  float r = fetch(v, p + (int3)(1, 0, 0), size).x - fetch(v, p - (int3)(1, 0, 0), size).x
          + fetch(v, p + (int3)(0, 1, 0), size).y - fetch(v, p - (int3)(0, 1, 0), size).y
          + fetch(v, p + (int3)(0, 0, 1), size).z - fetch(v, p - (int3)(0, 0, 1), size).z;
  d[index3(p, size)] = 0.5f * r;
}
