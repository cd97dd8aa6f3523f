// A step of lattice Boltzmann on 16 x 4 x 4 cells with 19 neighbours, whose distances are a table of each work-item.
// LAUNCH: global=16x4x4 local=16x2x1 args: in=rand:f32:4864 out=zeros:f32:4864 n=256 tau=0.8
kernel void lattice(global const float *in, global float *out, int n, float tau) {
  const int c[19][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0},
                        {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                        {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
                        {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  float f[19], density = 0, ux = 0, uy = 0, uz = 0;
  for (int q = 0; q < 19; q++) {
    int px = (x - c[q][0] + 16) % 16, py = (y - c[q][1] + 4) % 4, pz = (z - c[q][2] + 4) % 4;
    f[q] = in[q * n + (pz * 4 + py) * 16 + px] + 1;
    density += f[q];
    ux += c[q][0] * f[q];
    uy += c[q][1] * f[q];
    uz += c[q][2] * f[q];
  }
  ux /= density, uy /= density, uz /= density;
  float square = 1.5f * (ux * ux + uy * uy + uz * uz);
  for (int q = 0; q < 19; q++) {
    float weight = q == 0 ? 1 / 3.f : q < 7 ? 1 / 18.f : 1 / 36.f;
    float along = c[q][0] * ux + c[q][1] * uy + c[q][2] * uz;
    float rest = weight * density * (1 + 3 * along + 4.5f * along * along - square);
    out[q * n + (z * 4 + y) * 16 + x] = f[q] - (f[q] - rest) / tau;
  }
}
