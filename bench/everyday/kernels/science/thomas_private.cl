//: global 4096
//: local 32
//: arg r.random((4096, 16))
//: arg r.random((4096, 16)) + 4
//: arg r.random((4096, 16))
//: arg r.random((4096, 16))
//: arg np.zeros((4096, 16))
// Small tridiagonal systems by rows.
#define M 16
kernel void tridiag(global const double *lo, global const double *di, global const double *up,
                    global const double *rhs, global double *x) {
  const size_t base = get_global_id(0) * M;
  double c[M], d[M];
  c[0] = up[base] / di[base];
  d[0] = rhs[base] / di[base];
  for (int i = 1; i < M; ++i) {
    double m = 1.0 / (di[base + i] - lo[base + i] * c[i - 1]);
    c[i] = up[base + i] * m;
    d[i] = (rhs[base + i] - lo[base + i] * d[i - 1]) * m;
  }
  double last = d[M - 1];
  x[base + M - 1] = last;
  for (int i = M - 2; i >= 0; --i) {
    last = d[i] - c[i] * last;
    x[base + i] = last;
  }
}
