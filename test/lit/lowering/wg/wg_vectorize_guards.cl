// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},inline-functions,ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s

// Neighbours agree about a bound: what it guards is done by all of them or by none, however that is written.
static uint some(global const uint *in, uint v) {
  uint sum = 0;
  for (int k = 0; k < 8; k++) {
    v ^= v >> 16; v *= 0x7feb352du; v ^= v >> 15; v *= 0x846ca68bu; v ^= v >> 16; v += v << 7;
    v ^= v >> 13; v += v << 3;
    sum += in[v >> 20];
  }
  return sum;
}

// CHECK: wg_vectorize_guards.cl:[[# @LINE + 2]]:{{.*}} vectorised along x for 16 work-items
kernel void inside(global uint *out, global const uint *in, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) out[y * w + x] = some(in, x);
}

// CHECK: wg_vectorize_guards.cl:[[# @LINE + 2]]:{{.*}} vectorised along x for 16 work-items
kernel void outside(global uint *out, global const uint *in, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  out[y * w + x] = some(in, x);
}

// They do not agree about what they read: a vector takes as long for one of them as for all.
// CHECK: wg_vectorize_guards.cl:[[# @LINE + 2]]:{{.*}} not vectorised: accesses all over memory cost more than vectors save
kernel void chosen(global uint *out, global const uint *in, global const int *are, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (are[x]) out[y * w + x] = some(in, x);
}
