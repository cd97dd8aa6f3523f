// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize" | filecheck %s --check-prefix HINT

// A scatter takes more than twice as long as a gather: some arithmetic on what is read side by side, and
// 16 stores one by one, cost less.
// LLVM makes no vectors either, but may unroll the loop over work-items.
// HINT:       wg.func @spread
// HINT:       ocl.store
// HINT-NEXT:  } attributes {ocl.unroll = -4 : i32}
// CHECK: wg_vectorize_scatter.cl:[[# @LINE + 2]]:{{.*}} not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
kernel void spread(local int *out, local const int *in, int step) {
  int v = in[get_local_id(0)];
  out[get_local_id(0) * step] = (v * 5 ^ v >> 3) + (v << 2 ^ v >> 1);
}

// More arithmetic for each store: vectors pay.
// CHECK: wg_vectorize_scatter.cl:[[# @LINE + 2]]:{{.*}} vectorised along x
kernel void hash(local int *sums, int step) {
  int x = get_local_id(0);
  for (int k = 0; k < 64; k++) x = x * 33 ^ x >> 3;
  sums[get_local_id(0) * step] = x;
}

// Lines of columns are fetched anew for each work-item, where rows lie a power of two apart: vectors pay, though
// each lane counts by a gather and a scatter.
// CHECK: wg_vectorize_scatter.cl:[[# @LINE + 2]]:{{.*}} vectorised along x
kernel void often(global int *out, global const uchar *in, int count) {
  int i = get_global_id(0), best = 0, counts[16];
  for (int k = 0; k < 16; k++) counts[k] = 0;
  for (int k = 0; k < count; k++) counts[in[k * get_global_size(0) + i] & 15]++;
  for (int k = 1; k < 16; k++)
    if (counts[k] > counts[best]) best = k;
  out[i] = best;
}

// Both sides of a test for equality may be taken as often: runs of zeros, and what is between them.
// CHECK: wg_vectorize_scatter.cl:[[# @LINE + 2]]:{{.*}} vectorised along x
kernel void runs(global const short *in, global short2 *out, global int *counts, int q) {
  int i = get_global_id(0), zeros = 0, count = 0;
  for (int k = 0; k < 16; k++) {
    int v = in[i * 16 + k] / q;
    if (v == 0) zeros++;
    else { out[i * 16 + count++] = (short2)(zeros, v); zeros = 0; }
  }
  counts[i] = count;
}

// Divisions of 64 bits are those of one lane after the other, which need not wait for each other as those of an
// iteration and the next do.
// CHECK: wg_vectorize_scatter.cl:[[# @LINE + 2]]:{{.*}} vectorised along x
kernel void squares(global const uint *n, global uint *out, int steps) {
  ulong m = n[get_global_id(0)], v = 2;
  for (int k = 0; k < steps; k++) v = (v * v % m + 1) % m;
  out[get_global_id(0)] = v;
}

// No processor scatters bytes: they are stored one by one, as each lane of a gather of bytes is read, so that a half
// of the lanes may write elsewhere.
// CHECK: wg_vectorize_scatter.cl:[[# @LINE + 2]]:{{.*}} vectorised along x
kernel void planes(global const uchar *pixels, global uchar *y, global uchar *u) {
  size_t x = get_global_id(0);
  int r = pixels[3 * x], g = pixels[3 * x + 1], b = pixels[3 * x + 2];
  y[x] = (66 * r + 129 * g + 25 * b + 128) >> 8;
  if (x % 2 == 0) u[x / 2] = (112 * b - 74 * g - 38 * r + 128) >> 8;
}

// Each third element, for some work-items: LLVM computes masks of 48 shorts bit by bit, and those of 64 at once.
// HINT-LABEL: wg.func @thirds
// HINT:       wg.store {{.*}} mask {{.*}} : vector<64xi1> : vector<64xi16>
kernel void thirds(global const int *in, global short *out) {
  size_t x = get_global_id(0);
  if (in[x] > 0) out[3 * x] = in[x];
}
