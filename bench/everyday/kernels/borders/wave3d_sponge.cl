//: global 128 64 32
//: local 32 4 2
//: arg r.random(128 * 64 * 32, np.float32)
//: arg r.random(128 * 64 * 32, np.float32)
//: arg 0.1 + 0.1 * r.random(128 * 64 * 32, np.float32)
//: arg np.zeros(128 * 64 * 32, np.float32)
//: arg np.int32(128)
//: arg np.int32(64)
//: arg np.int32(32)
//: arg np.int32(8)
//: arg np.float32(0.015)
// Acoustic wave, eighth order in space, with sponge layers at all sides but the top.
#define IDX(i, j, k) (((k) * ny + (j)) * nx + (i))
constant float C[5] = {-2.847222222f, 1.6f, -0.2f, 0.025396825f, -0.001785714f};

inline float damp(int i, int n, int width, float alpha) {
  int d = 0;
  if (i < width) d = width - i;
  else if (i >= n - width) d = i - (n - width) + 1;
  float t = alpha * d;
  return exp(-t * t);
}

__kernel void wave(__global const float *p0, __global const float *p1, __global const float *vel,
                   __global float *p2, int nx, int ny, int nz, int sponge, float alpha) {
  const int i = get_global_id(0);
  const int j = get_global_id(1);
  const int k = get_global_id(2);
  if (i >= nx || j >= ny || k >= nz) return;
  const int at = IDX(i, j, k);
  float lap = 3.0f * C[0] * p1[at];
  for (int r = 1; r <= 4; r++) {
    float sum = 0.0f;
    if (i - r >= 0) sum += p1[IDX(i - r, j, k)];
    if (i + r < nx) sum += p1[IDX(i + r, j, k)];
    if (j - r >= 0) sum += p1[IDX(i, j - r, k)];
    if (j + r < ny) sum += p1[IDX(i, j + r, k)];
    if (k - r >= 0) sum += p1[IDX(i, j, k - r)];
    if (k + r < nz) sum += p1[IDX(i, j, k + r)];
    lap += C[r] * sum;
  }
  float g = damp(i, nx, sponge, alpha) * damp(j, ny, sponge, alpha);
  if (k >= nz - sponge) g *= damp(k, nz, sponge, alpha);
  float next = 2.0f * p1[at] - p0[at] * g + vel[at] * lap;
  p2[at] = next * g;
}
