// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// Each lane reads its own row, which may be a power of two apart: 16 lines stay in the cache until the next
// iteration, those of more vectors do not.
// CHECK: wg_jam_lane_rows.cl:[[# @LINE + 4]]:{{.*}} vectorised along x
// CHECK: wg_jam_lane_rows.cl:[[# @LINE + 3]]:{{.*}} estimated cycles of a tile
// CHECK-NOT: wg_jam_lane_rows.cl:[[# @LINE + 2]]:{{.*}} share one body
kernel void rows(global float *out, global const float *a, constant float *v, int w, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; i++)
    if (i <= x)
      sum += a[x * w + i] * v[i];
  out[x] = sum;
}

// Columns are far apart: several vectors wait for them together.
// CHECK: wg_jam_lane_rows.cl:[[# @LINE + 2]]:{{.*}} 1 rows x 4 vectors share one body [wg-jam]
kernel void columns(global float *out, global const float *a, constant float *v, int w, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; i++)
    if (i <= x)
      sum += a[i * w + x] * v[i];
  out[x] = sum;
}
