//: global 32768
//: local 64
//: arg r.standard_normal((32768, 4), dtype=np.float32)
//: arg r.standard_normal((32768, 4), dtype=np.float32)
//: arg r.standard_normal((32, 32, 4), dtype=np.float32)
//: arg r.standard_normal((32, 32, 4), dtype=np.float32)
//: arg r.integers(-1, 2, 32768).astype(np.int32)
//: arg np.float32(0.05)
//: arg np.uint32(32768)
// Charged particles in fields on a grid: the method of Boris.
float3 field_at(global const float4 *f, float3 p) {
  int gx = (int)(fabs(p.x) * 8.0f) & 31;
  int gy = (int)(fabs(p.y) * 8.0f) & 31;
  return f[gy * 32 + gx].xyz;
}

kernel void boris(global float4 *pos, global float4 *vel, global const float4 *E, global const float4 *B,
                  global const int *charge, float dt, uint n) {
  uint i = get_global_id(0);
  if (i < n && charge[i] != 0) {
    float q = charge[i] * dt * 0.5f;
    float3 x = pos[i].xyz, v = vel[i].xyz;
    float3 e = field_at(E, x), b = field_at(B, x);
    float3 minus = v + q * e;
    float3 t = q * b;
    float3 s = 2.0f * t / (1.0f + dot(t, t));
    float3 prime = minus + cross(minus, t);
    float3 plus = minus + cross(prime, s);
    v = plus + q * e;
    x += v * dt;
    vel[i] = (float4)(v, vel[i].w);
    pos[i] = (float4)(x, pos[i].w);
  }
}
