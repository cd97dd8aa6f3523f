//: global 65536
//: local 64
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg np.zeros(131072, np.float32)
//: arg np.int32(65536)
// Parts in private arrays.
kernel void multiply(global const float *a, global const float *b, global float *c, const int n) {
  const int gid = get_global_id(0);
  float p[2], q[2], r[2];
  for (int k = 0; k < 2; k++) {
    p[k] = a[2 * gid + k];
    q[k] = b[2 * gid + k];
  }
  r[0] = p[0] * q[0] - p[1] * q[1];
  r[1] = p[0] * q[1] + p[1] * q[0];
  for (int k = 0; k < 2; k++) c[2 * gid + k] = r[k] / n;
}
