// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize{always=true},wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// Lanes that change counters in local memory are one operation, of which tiles have one each.
// CHECK: wg_jam_counters.cl:[[# @LINE + 2]]:{{.*}} 1 rows x 4 vectors share one body [wg-jam]
kernel void histogram(global const float *in, local uint *counts, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) atomic_inc(&counts[(int)(in[i + k * n] * 256) & 255]);
}

// Old values are used one after the other; those of several vectors are not mixed.
// CHECK: not jammed: work-items add to counters one after the other [wg-jam]
// CHECK-NOT: share one body
kernel void places(global const float *in, local uint *counts, global uint *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) out[i + k * n] = atomic_inc(&counts[(int)(in[i + k * n] * 256) & 255]);
}
