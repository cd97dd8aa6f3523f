//: global 131072
//: local 64
//: arg r.random((262144, 2), np.float32)
//: arg np.zeros((262144, 2), np.float32)
//: arg np.int32(16)
//: kernel stage
// Stockham radix 2.
float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__kernel void stage(__global const float2 *x, __global float2 *y, const int p) {
  int i = get_global_id(0);
  int t = get_global_size(0);
  int k = i & (p - 1);
  float2 u0 = x[i];
  float2 u1 = x[i + t];
  float angle = -M_PI_F * (float)k / (float)p;
  u1 = cmul((float2)(cos(angle), sin(angle)), u1);
  int j = (i << 1) - k;
  y[j] = u0 + u1;
  y[j + p] = u0 - u1;
}
