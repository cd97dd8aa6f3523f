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

// So do several rows, though they share little: here of 16 work-items each.
// RUN: ocl-opt %s -p "ocl-set-local-size{size=16,4,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix ROWS
// ROWS: wg_jam_columns.cl:[[# @LINE + 2]]:{{.*}} 2 rows x 1 vectors share one body [wg-jam]
kernel void volume(global const float *in, global float *out, int w, int h, int depth) {
  int x = get_global_id(0), y = get_global_id(1), page = w * h;
  for (int z = 0; z < depth; z++) {
    int above = max(z - 1, 0), below = min(z + 1, depth - 1);
    out[z * page + y * w + x] = in[above * page + y * w + x] + in[z * page + y * w + x] + in[below * page + y * w + x];
  }
}
