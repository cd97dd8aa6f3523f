//: global 64 64 64
//: local 16 4 4
//: arg r.random(64 * 64 * 64, np.float64)
//: arg np.zeros(64 * 64 * 64, np.float64)
//: arg np.int32(64)
//: arg np.float64(0.1)
// Heat in a cube of doubles: fixed at x = 0, insulated at the other faces.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define T(i, j, k) t[(i) + n * ((j) + n * (k))]
kernel void heat(global const double *t, global double *s, int n, double a) {
  int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
  if (!(i < n && j < n && k < n)) return;
  double c = T(i, j, k);
  double flux = 0.0;
  if (i == 0) {
    s[i + n * (j + n * k)] = c;
    return;
  }
  flux += T(i - 1, j, k) - c;
  if (i != n - 1) flux += T(i + 1, j, k) - c;
  if (j != 0) flux += T(i, j - 1, k) - c;
  if (j != n - 1) flux += T(i, j + 1, k) - c;
  if (k != 0) flux += T(i, j, k - 1) - c;
  if (k != n - 1) flux += T(i, j, k + 1) - c;
  s[i + n * (j + n * k)] = c + a * flux;
}
