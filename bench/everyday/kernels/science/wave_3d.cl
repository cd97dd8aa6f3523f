//: global 62 62 30
//: local 31 2 2
//: arg r.random((32, 64, 64))
//: arg r.random((32, 64, 64))
//: arg np.float64(0.1)
// The wave equation in doubles, inside only.
kernel void wave(global const double *u, global double *old, double c) {
  size_t x = get_global_id(0) + 1, y = get_global_id(1) + 1, z = get_global_id(2) + 1;
  size_t w = get_global_size(0) + 2, h = get_global_size(1) + 2;
  size_t i = (z * h + y) * w + x;
  double lap = u[i - 1] + u[i + 1] + u[i - w] + u[i + w] + u[i - w * h] + u[i + w * h] - 6.0 * u[i];
  old[i] = 2.0 * u[i] - old[i] + c * lap;
}
