//: global 4096
//: local 64
//: arg (r.standard_normal((4096, 3)) * 5).view([(f, 'f8') for f in 'xyz']).ravel()
//: arg np.float64(0.005)
//: arg np.int32(50)
// Many trajectories of Lorenz' equations.
typedef struct { double x, y, z; } P3;
P3 f(P3 s) {
  P3 d;
  d.x = 10.0 * (s.y - s.x);
  d.y = s.x * (28.0 - s.z) - s.y;
  d.z = s.x * s.y - 8.0 / 3.0 * s.z;
  return d;
}
P3 axpy(double a, P3 x, P3 y) { P3 r = {y.x + a * x.x, y.y + a * x.y, y.z + a * x.z}; return r; }

__kernel void lorenz(__global P3 *state, double h, int steps) {
  int i = get_global_id(0);
  P3 s = state[i];
  while (steps--) {
    P3 k1 = f(s);
    P3 k2 = f(axpy(0.5 * h, k1, s));
    P3 k3 = f(axpy(0.5 * h, k2, s));
    P3 k4 = f(axpy(h, k3, s));
    s = axpy(h / 6.0, k1, axpy(h / 3.0, k2, axpy(h / 3.0, k3, axpy(h / 6.0, k4, s))));
  }
  state[i] = s;
}
