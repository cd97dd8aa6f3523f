//: global 16384
//: local 64
//: arg r.uniform(-1, 1, 16384)
//: arg r.standard_normal(24)
//: arg np.zeros(16384)
//: arg np.int32(24)
//: arg np.int32(16384)
// Sums of Chebyshev polynomials.
kernel void clenshaw(global const double *x, global const double *restrict coef, global double *y, int terms, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    double b1 = 0, b2 = 0, t = 2 * x[i];
    for (int k = terms - 1; k > 0; k--) {
      double b = coef[k] + t * b1 - b2;
      b2 = b1;
      b1 = b;
    }
    y[i] = coef[0] + x[i] * b1 - b2;
  }
}
