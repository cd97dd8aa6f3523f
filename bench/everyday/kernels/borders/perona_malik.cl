//: global 512 384
//: local 32 8
//: arg r.random(512 * 384, np.float32)
//: arg np.zeros(512 * 384, np.float32)
//: arg np.int32(512)
//: arg np.int32(384)
//: arg np.float32(0.1)
//: arg np.float32(0.2)
// Anisotropic diffusion, no flux at the borders.
float g(float d, float k) { return 1.0f / (1.0f + (d * d) / (k * k)); }
kernel void diffuse(global const float *in, global float *out, const int w, const int h, float kappa, float lambda) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= w || y >= h) return;
  float c = in[x + y * w];
  float n = y > 0 ? in[x + (y - 1) * w] - c : 0.0f;
  float s = y < h - 1 ? in[x + (y + 1) * w] - c : 0.0f;
  float e = x < w - 1 ? in[x + 1 + y * w] - c : 0.0f;
  float v = x > 0 ? in[x - 1 + y * w] - c : 0.0f;
  out[x + y * w] = c + lambda * (g(n, kappa) * n + g(s, kappa) * s + g(e, kappa) * e + g(v, kappa) * v);
}
