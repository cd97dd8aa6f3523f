//: global 64
//: local 16
//: arg (r.random(64 * 2048) - 0.5).astype(np.float32)
//: arg np.zeros(64 * 2048, np.float32)
//: arg np.array([0.2, 0.4, 0.2, -0.3, 0.1] * 64, np.float32).view([(k, "f4") for k in ("b0", "b1", "b2", "a1", "a2")])
//: arg np.int32(2048)
typedef struct { float b0, b1, b2, a1, a2; } Coef;
// Interleaved frames: sample t of channel c is at t * channels + c.
__kernel void biquad(__global const float *in, __global float *out, __global const Coef *coefs, int frames) {
  int c = get_global_id(0), channels = get_global_size(0);
  Coef k = coefs[c];
  float z1 = 0.0f, z2 = 0.0f;
  for (int t = 0; t < frames; t++) {
    float x = in[t * channels + c];
    float y = k.b0 * x + z1;
    z1 = k.b1 * x - k.a1 * y + z2;
    z2 = k.b2 * x - k.a2 * y;
    out[t * channels + c] = y;
  }
}
