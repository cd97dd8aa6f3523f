// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize,wg-interleave" --remarks 2>&1 >/dev/null | filecheck %s

// The next tile reads what this one writes, one element of it: alone it would wait for two divisions and the store.
// The tiles side by side have read all of theirs before.
// CHECK: wg_interleave_in_place.cl:[[# @LINE + 2]]:{{.*}} 1 rows x 4 vectors share one body [wg-interleave]
kernel void red_black(global double *p, double a, double b, int colour) {
  int i = get_global_id(0) + 1;
  if ((i & 1) == colour) p[i] = (p[i] + (p[i - 1] + p[i + 1]) / a) / b;
}

// The same where little is computed: memory does not bound tiles that wait for each other.
// CHECK: wg_interleave_in_place.cl:[[# @LINE + 2]]:{{.*}} 1 rows x 4 vectors share one body [wg-interleave]
kernel void stencil(global float *p, int w, int colour) {
  int x = get_global_id(0), y = get_global_id(1) + 1, i = y * w + x + 1;
  if (((x + y) & 1) == colour) p[i] += (p[i - 1] + p[i + 1] + p[i - w] + p[i + w]) * 0.25f;
}

// What is read is in another array, or in the tile after: tiles are in flight at once as they are.
// CHECK-NOT: share one body
kernel void other(global const double *p, global double *q, double a, double b, int colour) {
  int i = get_global_id(0) + 1;
  if ((i & 1) == colour) q[i] = (p[i] + (p[i - 1] + p[i + 1]) / a) / b;
}

kernel void after(global double *p, double a, double b) {
  int i = get_global_id(0);
  p[i] = (p[i] + p[i + 1] / a) / b;
}
