//: global 65536
//: local 64
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg np.zeros(131072, np.float32)
//: arg np.int32(65536)
// Products of complex numbers, scaled by the size, as after a transform.
float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
kernel void multiply(global const float2 *a, global const float2 *b, global float2 *c, int n) {
  int i = get_global_id(0);
  if (i < n) c[i] = cmul(a[i], b[i]) / (float)n;
}
