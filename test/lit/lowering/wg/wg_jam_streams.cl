// RUN: ocl-opt %s -p "ocl-set-local-size{size=16,16,1},ocl-to-wg,widen-indices,wg-vectorize,wg-jam" --remarks 2>&1 >/dev/null | filecheck %s

// The sums of 16 rows fit the registers of AVX-512. But the rows of `in` may be a power of two apart: then
// the cache has room for eight lines of them and of `mask`.
// CHECK: wg_jam_streams.cl:[[# @LINE + 2]]:{{.*}} 4 rows x 1 vectors share one body [wg-jam]
kernel void filter(global float *out, global const float *in, constant float *mask, int w, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += in[(3 * y + j) * w + x + i] * mask[j * n + i];
  out[y * w + x] = sum;
}

// Those of local memory are next to each other.
// CHECK: wg_jam_streams.cl:[[# @LINE + 2]]:{{.*}} 16 rows x 1 vectors share one body [wg-jam]
kernel void tile(global float *out, constant float *mask, int n, local float *in) {
  int x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += in[(3 * y + j) * 32 + x + i] * mask[j * n + i];
  out[y * 16 + x] = sum;
}

// A row reads what the next one has read in the iteration before: eight rows keep seven vectors (wg-carry-loads).
// CHECK: wg_jam_streams.cl:[[# @LINE + 2]]:{{.*}} 8 rows x 1 vectors share one body [wg-jam]
kernel void window(global float *out, global const float *in, constant float *mask, int w, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += in[(y + j) * w + x + i] * mask[j * n + i];
  out[y * w + x] = sum;
}

// LLVM unrolls this loop, so that a work-item goes along 16 streams: tiles that load together and store together would
// disturb them.
// CHECK-NOT: share one body
kernel void parts(global float *out, global const float *restrict in) {
  for (int part = 0; part < 8; part++) {
    int i = part * get_global_size(0) + get_global_id(0);
    out[i] = in[i];
  }
}
