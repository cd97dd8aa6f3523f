//: global 16384
//: local 64
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg np.zeros(131072, np.float32)
//: arg np.int32(65536)
// Four products: even and odd elements.
kernel void multiply(global const float *a, global const float *b, global float *c, int n) {
  size_t i = get_global_id(0);
  float8 x = vload8(i, a), y = vload8(i, b), r;
  r.even = x.even * y.even - x.odd * y.odd;
  r.odd = x.even * y.odd + x.odd * y.even;
  vstore8(r / (float8)n, i, c);
}
