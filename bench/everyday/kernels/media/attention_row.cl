//: global 128
//: local 32
//: arg r.random((128, 64), np.float32)
//: arg r.random((128, 64), np.float32)
//: arg r.random((128, 64), np.float32)
//: arg np.zeros((128, 64), np.float32)
#define D 64
#define N 128
// Online softmax, one query for each work-item.
__kernel void attention(__global const float *Q, __global const float *K, __global const float *V, __global float *O) {
  int q = get_global_id(0);
  float acc[D], query[D];
  for (int d = 0; d < D; d++) { acc[d] = 0; query[d] = Q[q * D + d] * 0.125f; }
  float m = -INFINITY, l = 0;
  for (int j = 0; j < N; j++) {
    float s = 0;
    for (int d = 0; d < D; d++) s += query[d] * K[j * D + d];
    float m_new = fmax(m, s);
    float a = exp(m - m_new), p = exp(s - m_new);
    l = l * a + p;
    for (int d = 0; d < D; d++) acc[d] = acc[d] * a + p * V[j * D + d];
    m = m_new;
  }
  for (int d = 0; d < D; d++) O[q * D + d] = acc[d] / l;
}
