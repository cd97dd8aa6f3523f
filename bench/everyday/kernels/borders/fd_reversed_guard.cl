//: global 262144
//: local 256
//: arg r.random(262144, np.float32)
//: arg np.zeros(262144, np.float32)
//: arg np.int32(262144)
// Fourth derivative in one dimension, one-sided at the ends.
kernel void derivative(global const float *f, global float *d, int n) {
  int i = get_global_id(0);
  float h;
  if (i < 2)
    h = f[i] - 4.0f * f[i + 1] + 6.0f * f[i + 2] - 4.0f * f[i + 3] + f[i + 4];
  else if (n - 2 <= i)
    h = f[i - 4] - 4.0f * f[i - 3] + 6.0f * f[i - 2] - 4.0f * f[i - 1] + f[i];
  else
    h = f[i - 2] - 4.0f * f[i - 1] + 6.0f * f[i] - 4.0f * f[i + 1] + f[i + 2];
  d[i] = h;
}
