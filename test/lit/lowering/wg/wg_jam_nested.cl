// RUN: ocl-opt %s -p "ocl-set-local-size{size=16,16,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam{avx512=false}" --remarks 2>&1 >/dev/null | filecheck %s

// A row's sum takes two of 16 registers. Sums that do not fit are written and read again in each
// iteration of the inner loop, not only of the outer one: four rows, although eight share more.
// CHECK: wg_jam_nested.cl:[[# @LINE + 2]]:{{.*}} 4 rows x 1 vectors share one body [wg-jam]
kernel void filter(global float *out, global const int *in, constant float *mask, int w, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += in[(y + j) * w + x + i] * mask[j * n + i];
  out[y * w + x] = sum;
}
