//: global 4096
//: local 64
//: arg r.uniform(90, 110, 4096).astype(np.float32)
//: arg r.uniform(90, 110, 4096).astype(np.float32)
//: arg r.uniform(0.2, 2, 4096).astype(np.float32)
//: arg r.uniform(12, 40, 4096).astype(np.float32)
//: arg np.zeros(4096, np.float32)
//: arg np.float32(0.02)
// Newton's method for the volatility of a call, with bisection where it leaves the interval.
float cnd(float x) { return 0.5f * erfc(-x * M_SQRT1_2_F); }

kernel void implied_vol(global const float *spot, global const float *strike, global const float *ttm,
                        global const float *price, global float *vol, float rate) {
  int i = get_global_id(0);
  float s = spot[i], k = strike[i], t = ttm[i], target = price[i];
  float lo = 0.001f, hi = 4.0f, v = 0.5f;
  for (int it = 0; it < 30; it++) {
    float sq = v * sqrt(t);
    float d1 = (log(s / k) + (rate + 0.5f * v * v) * t) / sq;
    float c = s * cnd(d1) - k * exp(-rate * t) * cnd(d1 - sq);
    float diff = c - target;
    if (fabs(diff) < 1e-3f) break;
    if (diff > 0) hi = v; else lo = v;
    float vega = s * sqrt(t) * 0.39894228f * exp(-0.5f * d1 * d1);
    float next = v - diff / vega;
    v = (next > lo && next < hi) ? next : 0.5f * (lo + hi);
  }
  vol[i] = v;
}
