// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam{avx512=false}" --remarks 2>&1 >/dev/null | filecheck %s

// The sum of floats waits four cycles for the one before, in which other vectors are computed.
// CHECK: wg_jam_latency.cl:[[# @LINE + 3]]:{{.*}} 1 rows x 4 vectors share one body [wg-jam]
kernel void sums(global float *out, float a, int n) {
  int i = get_global_id(0);
  float s = out[i];
  for (int k = 0; k < n; k++)
    s = (s + a) - s * a;
  out[i] = s;
}

// Shifts and sums of integers do not wait for each other: one vector has the registers for itself.
// CHECK-NOT: share one body
kernel void mixed(global uint *out, uint a, int n) {
  int i = get_global_id(0);
  uint s = out[i], t = out[i + n], u = out[i + 2 * n], v = out[i + 3 * n];
  for (int k = 0; k < n; k++) {
    uint x = (s ^ (s >> 7)) + (t & u | ~t & v) + a;
    v = u;
    u = t;
    t = s + x;
    s = x + (x << 11);
  }
  out[i] = s ^ t ^ u ^ v;
}
