// RUN: ocl-opt %s -p promote-private-arrays --remarks 2>&1 >/dev/null | filecheck %s

// The numbers of a table are known where its loops are unrolled, however many operations that adds.
// CHECK: promote_private_arrays_tables.cl:[[# @LINE + 2]]:13: remark: 'weights' is in registers [promote-private-arrays]
kernel void sharpen(global const uchar *in, global uchar *out, int w) {
  const int weights[25] = {0, 0, -1, 0, 0, 0, -1, -2, -1, 0, -1, -2, 24,
                           -2, -1, 0, -1, -2, -1, 0, 0, 0, -1, 0, 0};
  int x = get_global_id(0) + 2, y = get_global_id(1) + 2, sum = 0;
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      sum += weights[j * 5 + i] * in[(y + j - 2) * w + x + i - 2];
  out[y * w + x] = convert_uchar_sat(sum >> 3);
}

// One of them is computed, and a loop stays: LLVM unrolls the others, if it likes.
// CHECK-NOT: remark: 'weights' is in registers
kernel void sharpen_more(global const uchar *in, global uchar *out, int w, int h, int middle) {
  int weights[25] = {0, 0, -1, 0, 0, 0, -1, -2, -1, 0, -1, -2, 24,
                     -2, -1, 0, -1, -2, -1, 0, 0, 0, -1, 0, 0};
  weights[12] = middle;
  int x = get_global_id(0) + 2;
  for (int y = 2; y < h - 2; y++) {
    int sum = 0;
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++)
        sum += weights[j * 5 + i] * in[(y + j - 2) * w + x + i - 2];
    out[y * w + x] = convert_uchar_sat(sum >> 3);
  }
}

// So are those of 19 neighbours, in loops that become 1800 operations.
// CHECK: promote_private_arrays_tables.cl:[[# @LINE + 2]]:13: remark: 'c' is in registers [promote-private-arrays]
kernel void lattice(global const float *in, global float *out, int n, float tau) {
  const int c[19][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},
                        {0, 0, 1},  {0, 0, -1},  {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},
                        {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
                        {0, 1, 1},  {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  float f[19], rho = 0, ux = 0, uy = 0, uz = 0;
  for (int q = 0; q < 19; q++) {
    int px = (x - c[q][0] + 32) % 32, py = (y - c[q][1] + 32) % 32, pz = (z - c[q][2] + 32) % 32;
    f[q] = in[q * n + (pz * 32 + py) * 32 + px];
    rho += f[q];
    ux += c[q][0] * f[q];
    uy += c[q][1] * f[q];
    uz += c[q][2] * f[q];
  }
  ux /= rho, uy /= rho, uz /= rho;
  float square = 1.5f * (ux * ux + uy * uy + uz * uz);
  for (int q = 0; q < 19; q++) {
    float w = q == 0 ? 1 / 3.f : q < 7 ? 1 / 18.f : 1 / 36.f;
    float cu = c[q][0] * ux + c[q][1] * uy + c[q][2] * uz;
    float to = w * rho * (1 + 3 * cu + 4.5f * cu * cu - square);
    out[q * n + (z * 32 + y) * 32 + x] = f[q] - (f[q] - to) / tau;
  }
}
