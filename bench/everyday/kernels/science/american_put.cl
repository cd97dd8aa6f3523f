//: global 512
//: local 32
//: arg r.uniform(80, 120, 512).astype(np.float32)
//: arg np.zeros(512, np.float32)
//: arg np.float32(0.02)
// A binomial tree of 64 steps for each work-item, in private memory.
#define STEPS 64
kernel void american(global const float *spot, global float *value, float rate) {
  uint gid = get_global_id(0);
  float s0 = spot[gid], strike = 100.0f, dt = 1.0f / STEPS;
  float u = exp(0.3f * sqrt(dt)), d = 1.0f / u;
  float p = (exp(rate * dt) - d) / (u - d), disc = exp(-rate * dt);
  float v[STEPS + 1];
  for (int i = 0; i <= STEPS; i++) v[i] = fmax(strike - s0 * pow(u, (float)(2 * i - STEPS)), 0.0f);
  for (int n = STEPS - 1; n >= 0; n--) {
    float s = s0 * pow(d, (float)n);
    for (int i = 0; i <= n; i++) {
      float cont = disc * (p * v[i + 1] + (1.0f - p) * v[i]);
      v[i] = fmax(cont, strike - s);
      s *= u * u;
    }
  }
  value[gid] = v[0];
}
