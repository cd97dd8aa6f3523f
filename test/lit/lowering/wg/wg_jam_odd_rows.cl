// RUN: ocl-opt %s -p "ocl-set-local-size{size=16,5,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// Five rows share what they load of B.
// CHECK: 5 rows x 1 vectors share one body [wg-jam]
kernel void product(global float *c, global const float *a, global const float *b, int n) {
  size_t x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
