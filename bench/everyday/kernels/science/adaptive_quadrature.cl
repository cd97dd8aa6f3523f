//: global 2048
//: local 64
//: arg r.uniform(0.5, 6, 2048)
//: arg np.zeros(2048)
//: arg np.float64(1e-6)
// Adaptive Simpson with a stack of intervals.
double g(double x, double w) { return x * x * exp(-x) * w / (1.0 + w * x); }

kernel void simpson(global const double *w, global double *result, double eps) {
  size_t i = get_global_id(0);
  double lo[20], hi[20];
  int depth[20];
  int sp = 0;
  double total = 0;
  lo[0] = 0; hi[0] = w[i]; depth[0] = 0; sp = 1;
  do {
    sp--;
    double a = lo[sp], b = hi[sp];
    int dep = depth[sp];
    double m = 0.5 * (a + b);
    double fa = g(a, w[i]), fb = g(b, w[i]), fm = g(m, w[i]);
    double f1 = g(0.5 * (a + m), w[i]), f2 = g(0.5 * (m + b), w[i]);
    double whole = (b - a) / 6 * (fa + 4 * fm + fb);
    double halves = (b - a) / 12 * (fa + 4 * f1 + 2 * fm + 4 * f2 + fb);
    if (fabs(whole - halves) < 15 * eps || dep >= 12) {
      total += halves + (halves - whole) / 15;
    } else {
      lo[sp] = a; hi[sp] = m; depth[sp] = dep + 1; sp++;
      lo[sp] = m; hi[sp] = b; depth[sp] = dep + 1; sp++;
    }
  } while (sp > 0);
  result[i] = total;
}
