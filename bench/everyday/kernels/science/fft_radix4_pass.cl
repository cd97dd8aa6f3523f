//: global 16384
//: local 64
//: arg r.standard_normal((65536, 2), dtype=np.float32)
//: arg np.zeros((65536, 2), np.float32)
//: arg np.int32(16)
// A radix-4 pass of Stockham's transform.
#define twiddle(a, k, p) cmul(a, (float2)(cos(k), sin(k)))
float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 mulj(float2 a) { return (float2)(a.y, -a.x); }

kernel void fft4(global const float2 *x, global float2 *y, int p) {
  int t = get_global_size(0), i = get_global_id(0);
  int k = i & (p - 1);
  int j = ((i - k) << 2) + k;
  float alpha = -M_PI_F * (float)k / (float)(2 * p);
  float2 u0 = x[i];
  float2 u1 = twiddle(x[i + t], alpha, p);
  float2 u2 = twiddle(x[i + 2 * t], 2 * alpha, p);
  float2 u3 = twiddle(x[i + 3 * t], 3 * alpha, p);
  float2 v0 = u0 + u2, v1 = u0 - u2, v2 = u1 + u3, v3 = mulj(u1 - u3);
  y[j] = v0 + v2;
  y[j + p] = v1 + v3;
  y[j + 2 * p] = v0 - v2;
  y[j + 3 * p] = v1 - v3;
}
