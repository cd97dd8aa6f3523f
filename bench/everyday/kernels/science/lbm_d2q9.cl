//: global 256 128
//: local 16 16
//: arg r.random((9, 128, 256), dtype=np.float32) * np.float32(0.1) + np.float32(0.1)
//: arg np.zeros((9, 128, 256), np.float32)
//: arg (r.random((128, 256)) < 0.1).astype(np.uint8)
//: arg np.float32(1.7)
// Lattice Boltzmann: pull, bounce back at walls, relax.
constant int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant int opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constant float wt[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

kernel void lbm(global const float *f, global float *g, global const uchar *wall, float omega) {
  int x = get_global_id(0), y = get_global_id(1);
  int nx = get_global_size(0), ny = get_global_size(1);
  int plane = nx * ny;
  float fi[9];
  for (int k = 0; k < 9; k++) {
    int sx = (x - ex[k] + nx) % nx;
    int sy = (y - ey[k] + ny) % ny;
    fi[k] = f[k * plane + sy * nx + sx];
  }
  int at = y * nx + x;
  if (wall[at]) {
    for (int k = 0; k < 9; k++) g[opp[k] * plane + at] = fi[k];
    return;
  }
  float rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; k++) {
    rho += fi[k];
    ux += ex[k] * fi[k];
    uy += ey[k] * fi[k];
  }
  ux /= rho;
  uy /= rho;
  float u2 = 1.5f * (ux * ux + uy * uy);
  for (int k = 0; k < 9; k++) {
    float eu = 3.0f * (ex[k] * ux + ey[k] * uy);
    float eq = wt[k] * rho * (1.0f + eu + 0.5f * eu * eu - u2);
    g[k * plane + at] = fi[k] + omega * (eq - fi[k]);
  }
}
