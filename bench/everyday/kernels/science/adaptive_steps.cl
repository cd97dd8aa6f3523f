//: global 2048
//: local 64
//: arg r.uniform(0.5, 8, 2048).astype(np.float32)
//: arg np.zeros((2048, 2), np.float32)
//: arg np.zeros(2048, np.int32)
//: arg np.float32(1e-4)
// Van der Pol's oscillator with steps of Bogacki and Shampine that adapt.
float2 vdp(float2 y, float mu) { return (float2)(y.y, mu * (1.0f - y.x * y.x) * y.y - y.x); }

kernel void integrate(global const float *mus, global float2 *out, global int *taken, float tol) {
  int gid = get_global_id(0);
  float mu = mus[gid];
  float t = 0.0f, h = 0.01f;
  float2 y = (float2)(2.0f, 0.0f);
  float2 k1 = vdp(y, mu);
  int n = 0;
  while (t < 3.0f && n < 1000) {
    if (t + h > 3.0f) h = 3.0f - t;
    float2 k2 = vdp(y + 0.5f * h * k1, mu);
    float2 k3 = vdp(y + 0.75f * h * k2, mu);
    float2 next = y + h * (2.0f * k1 + 3.0f * k2 + 4.0f * k3) / 9.0f;
    float2 k4 = vdp(next, mu);
    float2 e = h * (-5.0f * k1 / 72.0f + k2 / 12.0f + k3 / 9.0f - k4 / 8.0f);
    float err = fmax(fabs(e.x), fabs(e.y)) / tol;
    if (err <= 1.0f) {
      t += h;
      y = next;
      k1 = k4;
    }
    h *= clamp(0.9f * rsqrt(err + 1e-6f), 0.3f, 3.0f);
    n++;
  }
  out[gid] = y;
  taken[gid] = n;
}
