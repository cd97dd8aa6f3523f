//: global 20000
//: local 100
//: arg np.int32(20000)
//: arg np.int32(16)
//: arg np.where(r.random((16, 20000)) < 0.7, r.integers(0, 20000, (16, 20000)), -1).astype(np.int32)
//: arg r.random((16, 20000), dtype=np.float32)
//: arg r.random(20000, dtype=np.float32)
//: arg np.zeros(20000, np.float32)
// Ellpack, columns first; -1 is padding.
kernel void ell(int n, int width, global const int *cols, global const float *vals, global const float *x, global float *y) {
  int r = get_global_id(0);
  if (r >= n) return;
  float s = 0.0f;
  for (int k = 0; k < width; ++k) {
    int c = cols[k * n + r];
    if (c < 0) continue;
    s += vals[k * n + r] * x[c];
  }
  y[r] = s;
}
