// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// Lanes add to counters in local memory one after the other; those of several vectors are not mixed.
// CHECK: vectorised along x
// CHECK: not jammed: work-items add to counters one after the other [wg-jam]
// CHECK-NOT: share one body
kernel void histogram(global const float *in, local uint *counts, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) atomic_inc(&counts[(int)(in[i + k * n] * 256) & 255]);
}
