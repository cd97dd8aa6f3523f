//: global 4096
//: local 64
//: arg r.standard_normal((4096, 4), dtype=np.float32)
//: arg r.standard_normal((4096, 4), dtype=np.float32)
//: arg r.standard_normal((3 * 100, 4), dtype=np.float32) * np.float32(3)
//: arg np.int32(100)
//: arg np.zeros(4096, np.float32)
//: arg np.zeros(4096, np.int32)
// The nearest triangle that each ray hits (Moeller, Trumbore).
bool hit(float3 o, float3 d, float3 a, float3 b, float3 c, float *t) {
  float3 e1 = b - a, e2 = c - a;
  float3 p = cross(d, e2);
  float det = dot(e1, p);
  if (fabs(det) < 1e-7f) return false;
  float inv = 1.0f / det;
  float3 s = o - a;
  float u = dot(s, p) * inv;
  if (u < 0.0f || u > 1.0f) return false;
  float3 q = cross(s, e1);
  float v = dot(d, q) * inv;
  if (v < 0.0f || u + v > 1.0f) return false;
  *t = dot(e2, q) * inv;
  return *t > 1e-4f;
}

kernel void nearest_triangle(global const float4 *org, global const float4 *dir, global const float4 *tri, int count,
                             global float *dist, global int *which) {
  int i = get_global_id(0);
  float3 o = org[i].xyz, d = normalize(dir[i].xyz);
  float best = INFINITY;
  int id = -1;
  for (int k = 0; k < count; k++) {
    float t;
    if (hit(o, d, tri[3 * k].xyz, tri[3 * k + 1].xyz, tri[3 * k + 2].xyz, &t) && t < best) {
      best = t;
      id = k;
    }
  }
  dist[i] = best;
  which[i] = id;
}
