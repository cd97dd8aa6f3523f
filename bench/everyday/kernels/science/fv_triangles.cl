//: global 8192
//: local 64
//: data S = np.dtype([(f, 'f4') for f in ('rho', 'mx', 'my', 'e')])
//: arg (r.random((8192, 4), dtype=np.float32) + np.float32([1, 0, 0, 2])).view(S).ravel()
//: arg r.integers(-1, 8192, (8192, 3)).astype(np.int32)
//: arg r.standard_normal((8192, 3, 2), dtype=np.float32)
//: arg r.random(8192, dtype=np.float32) + np.float32(0.5)
//: arg np.zeros(8192, S)
//: arg np.float32(0.01)
// Finite volumes on triangles: fluxes of Rusanov through three edges; -1 is a wall.
typedef struct { float rho, mx, my, e; } State;
float pressure(State s) { return 0.4f * (s.e - 0.5f * (s.mx * s.mx + s.my * s.my) / s.rho); }
State flux(State s, float nx, float ny) {
  float un = (s.mx * nx + s.my * ny) / s.rho, p = pressure(s);
  State f = {s.rho * un, s.mx * un + p * nx, s.my * un + p * ny, (s.e + p) * un};
  return f;
}

kernel void finite_volume(global const State *cells, global const int *nb, global const float2 *normals,
                          global const float *area, global State *next, float dt) {
  int i = get_global_id(0);
  State me = cells[i];
  State sum = {0, 0, 0, 0};
  for (int k = 0; k < 3; k++) {
    float2 n = normals[3 * i + k];
    int j = nb[3 * i + k];
    State other;
    if (j >= 0) {
      other = cells[j];
    } else {
      float l = 2.0f * (me.mx * n.x + me.my * n.y) / (n.x * n.x + n.y * n.y);
      other = me;
      other.mx -= l * n.x;
      other.my -= l * n.y;
    }
    State a = flux(me, n.x, n.y), b = flux(other, n.x, n.y);
    float len = length(n);
    float c1 = sqrt(fabs(1.4f * pressure(me) / me.rho)) * len + fabs(me.mx * n.x + me.my * n.y) / me.rho;
    float c2 = sqrt(fabs(1.4f * pressure(other) / other.rho)) * len + fabs(other.mx * n.x + other.my * n.y) / other.rho;
    float c = fmax(c1, c2);
    sum.rho += 0.5f * (a.rho + b.rho - c * (other.rho - me.rho));
    sum.mx += 0.5f * (a.mx + b.mx - c * (other.mx - me.mx));
    sum.my += 0.5f * (a.my + b.my - c * (other.my - me.my));
    sum.e += 0.5f * (a.e + b.e - c * (other.e - me.e));
  }
  float f = dt / area[i];
  State out = {me.rho - f * sum.rho, me.mx - f * sum.mx, me.my - f * sum.my, me.e - f * sum.e};
  next[i] = out;
}
