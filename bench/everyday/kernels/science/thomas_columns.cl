//: global 1024
//: local 64
//: data M = 128
//: arg r.random((M, 1024), dtype=np.float32)
//: arg r.random((M, 1024), dtype=np.float32) + np.float32(3)
//: arg r.random((M, 1024), dtype=np.float32)
//: arg r.random((M, 1024), dtype=np.float32)
//: arg np.zeros((M, 1024), np.float32)
//: arg np.int32(M)
//: arg np.int32(1024)
// Tridiagonal systems, one for each work-item, interleaved.
kernel void thomas(global const float *a, global const float *b, global const float *c, global float *d,
                   global float *cp, int m, int n) {
  int s = get_global_id(0);
  if (s >= n) return;
  cp[s] = c[s] / b[s];
  d[s] = d[s] / b[s];
  for (int i = 1; i < m; i++) {
    int k = i * n + s;
    float w = 1.0f / (b[k] - a[k] * cp[k - n]);
    cp[k] = c[k] * w;
    d[k] = (d[k] - a[k] * d[k - n]) * w;
  }
  for (int i = m - 2; i >= 0; i--) d[i * n + s] -= cp[i * n + s] * d[(i + 1) * n + s];
}
