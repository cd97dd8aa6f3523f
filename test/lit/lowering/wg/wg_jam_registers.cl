// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// Each vector of work-items keeps four sums and three coordinates in registers all the time: for
// four vectors that is 28, and what one of them computes in between has no room beside.
// CHECK: 1 rows x 2 vectors share one body [wg-jam]
kernel void attract(global float *out, global const float *all, int n) {
  size_t g = get_global_id(0);
  float x = all[g], y = all[n + g], z = all[2 * n + g];
  float sx = 0, sy = 0, sz = 0, all_s = 0;
  for (int i = 0; i < n; i++) {
    float dx = all[i] - x, dy = all[n + i] - y, dz = all[2 * n + i] - z;
    float d = dx * dx + dy * dy + dz * dz + 1.0f;
    float s = 1.0f / (d * d);
    sx += s * dx;
    sy += s * dy;
    sz += s * dz;
    all_s += s;
  }
  out[g] = sx + sy + sz + all_s;
}

// One sum and one coordinate leave room for four.
// CHECK: 1 rows x 4 vectors share one body [wg-jam]
kernel void attract_on_a_line(global float *out, global const float *all, int n) {
  size_t g = get_global_id(0);
  float x = all[g], sum = 0;
  for (int i = 0; i < n; i++) {
    float dx = all[i] - x;
    sum += dx / (dx * dx + 1.0f);
  }
  out[g] = sum;
}

// An element of a private array takes a register, even if the bytes of all lanes do not fill one:
// 24 of them leave no room for a second vector.
// CHECK-NOT: share one body
kernel void rounds(global uchar *data, int n) {
  uchar a[24];
  size_t g = get_global_id(0);
  for (int i = 0; i < 24; i++) a[i] = data[24 * g + i];
  for (int r = 0; r < n; r++)
    for (uchar i = 0; i < 24; i++)
      a[i] = a[i] * 3 ^ a[(uchar)(23 - i)];
  for (int i = 0; i < 24; i++) data[24 * g + i] = a[i];
}
