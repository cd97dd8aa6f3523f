//: global 131072
//: local 256
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg np.float32(0.001)
//: arg np.int32(10)
__kernel void adam(__global float *w, __global const float *g, __global float *m, __global float *v, float lr, int t) {
  const float b1 = 0.9f, b2 = 0.999f, eps = 1e-8f;
  size_t i = get_global_id(0);
  float grad = g[i] + 0.01f * w[i];
  m[i] = b1 * m[i] + (1 - b1) * grad;
  v[i] = b2 * v[i] + (1 - b2) * grad * grad;
  float mh = m[i] / (1 - pown(b1, t));
  float vh = v[i] / (1 - pown(b2, t));
  w[i] -= lr * mh / (sqrt(vh) + eps);
}
