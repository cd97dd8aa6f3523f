//: global 131072
//: local 64
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg np.zeros(131072, np.float32)
//: arg np.int32(65536)
// A work-item for each part.
kernel void multiply(global const float *a, global const float *b, global float *c, int n) {
  int id = get_global_id(0), k = id >> 1;
  float r;
  if (id & 1)
    r = a[2 * k] * b[2 * k + 1] + a[2 * k + 1] * b[2 * k];
  else
    r = a[2 * k] * b[2 * k] - a[2 * k + 1] * b[2 * k + 1];
  c[id] = r / n;
}
