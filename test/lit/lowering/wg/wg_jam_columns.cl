// RUN: ocl-opt %s -p "ocl-set-local-size{size=128,1,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// Each iteration is in another page, of which no line comes early: eight vectors side by side wait together.
// CHECK: wg_jam_columns.cl:[[# @LINE + 2]]:{{.*}} 1 rows x 8 vectors share one body [wg-jam]
kernel void columns(global float *v, int n, int w) {
  int x = get_global_id(0);
  float sum = v[x];
  for (int k = 1; k < n; k++) {
    sum = v[k * w + x] / (sum * 3.0f + 1.0f);
    v[k * w + x] = sum;
  }
}
