//: global 32768
//: local 64
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg np.zeros(131072, np.float32)
//: arg np.int32(65536)
// Two products at once, by swizzles.
kernel void multiply(global const float4 *a, global const float4 *b, global float4 *c, int n) {
  int i = get_global_id(0);
  float4 x = a[i], y = b[i];
  float4 re = x.xxzz * y, im = x.yyww * y.yxwz;
  im *= (float4)(-1.0f, 1.0f, -1.0f, 1.0f);
  c[i] = (re + im) * (1.0f / n);
}
