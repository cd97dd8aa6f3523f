//: global 256 128
//: local 16 8
//: arg 0.1 + 0.01 * r.random(9 * 256 * 128, np.float32)
//: arg np.zeros(9 * 256 * 128, np.float32)
//: arg np.int32(256)
//: arg np.int32(128)
//: arg np.float32(1.7)
// Lattice Boltzmann, 9 velocities in tables, each pulled from a neighbour on a torus.
constant int EX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int EY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float W[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

kernel void stream_collide(global const float *src, global float *dst, int nx, int ny, float omega) {
  int x = get_global_id(0), y = get_global_id(1);
  float f[9];
  float rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < 9; q++) {
    int sx = x - EX[q], sy = y - EY[q];
    if (sx < 0) sx += nx; else if (sx >= nx) sx -= nx;
    if (sy < 0) sy += ny; else if (sy >= ny) sy -= ny;
    f[q] = src[(q * ny + sy) * nx + sx];
    rho += f[q];
    ux += f[q] * EX[q];
    uy += f[q] * EY[q];
  }
  ux /= rho;
  uy /= rho;
  float usq = 1.5f * (ux * ux + uy * uy);
  for (int q = 0; q < 9; q++) {
    float eu = 3.0f * (EX[q] * ux + EY[q] * uy);
    float feq = W[q] * rho * (1.0f + eu + 0.5f * eu * eu - usq);
    dst[(q * ny + y) * nx + x] = f[q] + omega * (feq - f[q]);
  }
}
