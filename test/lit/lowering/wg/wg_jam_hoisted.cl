// RUN: ocl-opt %s -p "ocl-set-local-size{size=128,1,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// In a loop of many iterations, vectors share the arithmetic on the counter and the width.
// CHECK: wg_jam_hoisted.cl:[[# @LINE + 2]]:{{.*}} estimated cycles of a tile: 24, alone 49 [wg-jam]
kernel void rows(global const int *in, global int *out, int w, int n) {
  int x = get_global_id(0), m = 0;
  for (int k = 0; k < n; k++)
    m = max(m, in[x + (k * w ^ k * k) % 7]);
  out[x] = m;
}

// LLVM unrolls a loop of few, in which the same is computed once for all vectors in any case.
// CHECK: wg_jam_hoisted.cl:[[# @LINE + 2]]:{{.*}} estimated cycles of a tile: 22, alone 25 [wg-jam]
kernel void three(global const int *in, global int *out, int w, int n) {
  int x = get_global_id(0), m = 0;
  for (int k = 0; k < 3; k++)
    m = max(m, in[x + (k * w ^ k * k) % 7]);
  out[x] = m;
}
