//: global 65536
//: local 64
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg np.zeros(131072, np.float32)
//: arg np.int32(65536)
// Real and imaginary parts in turns.
kernel void multiply(global const float *a, global const float *b, global float *c, int n) {
  uint i = get_global_id(0) * 2;
  float ar = a[i], ai = a[i + 1], br = b[i], bi = b[i + 1];
  float scale = 1.0f / n;
  c[i] = (ar * br - ai * bi) * scale;
  c[i + 1] = (ar * bi + ai * br) * scale;
}
