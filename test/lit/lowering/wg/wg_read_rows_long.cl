// RUN: ocl-opt %s -p "ocl-set-local-size{size=64},promote-private-memory,ocl-to-wg,index-by-counter,widen-indices,wg-read-rows{distinct=true small_buffers=true}" --remarks 2>&1 >/dev/null | filecheck %s

// A loop of eight iterations with a long body is not unrolled: LLVM makes vectors of its iterations for one
// work-item, in private memory, too.
#define ROTATE(x, y, s) { int t = x * s + y; y = (y * s - x) >> 3; x = t >> 2; }
#define FOUR(s) ROTATE(a, b, s) ROTATE(c, d, s) ROTATE(a, d, s) ROTATE(b, c, s)
// CHECK-NOT: wg_read_rows_long.cl:[[# @LINE + 4]]:
kernel void columns(global const short *in, global int *out) {
  int i = get_global_id(0), w[32], s = 0;
  global const short *p = in + 32 * i;
  for (int k = 0; k < 8; k++) {
    int a = p[k], b = p[8 + k], c = p[16 + k], d = p[24 + k];
    FOUR(3) FOUR(5) FOUR(7)
    w[k] = a; w[8 + k] = b; w[16 + k] = c; w[24 + k] = d;
  }
  for (int k = 0; k < 32; k++) s = s * 31 + w[k];
  out[i] = s;
}

// One with a short body is unrolled: lanes read its rows.
// CHECK: wg_read_rows_long.cl:[[# @LINE + 4]]:3: remark: rows of several elements at once [wg-read-rows]
kernel void shorter(global const short *in, global int *out) {
  int i = get_global_id(0), w[32], s = 0;
  global const short *p = in + 32 * i;
  for (int k = 0; k < 8; k++) {
    int a = p[k], b = p[8 + k], c = p[16 + k], d = p[24 + k];
    ROTATE(a, b, 3) ROTATE(c, d, 5)
    w[k] = a; w[8 + k] = b; w[16 + k] = c; w[24 + k] = d;
  }
  for (int k = 0; k < 32; k++) s = s * 31 + w[k];
  out[i] = s;
}

// LLVM makes vectors of rows that are gone through downwards, too.
// CHECK-NOT: wg_read_rows_long.cl:[[# @LINE + 3]]:
kernel void downwards(global float *x, global const float *a, int n) {
  int row = get_global_id(0) * n;
  for (int i = 0; i < n - 2; i++)
    x[row + (n - i - 2)] = x[row + (n - i - 2)] - x[row + (n - i - 3)] * a[row + (n - i - 3)];
}

// A short loop inside, over the parts of an element, is there for each element.
// CHECK: wg_read_rows_long.cl:[[# @LINE + 3]]:3: remark: rows of several elements at once [wg-read-rows]
kernel void parts(global const uint *a, global const float *x, global float *out, int n) {
  int i = get_global_id(0); float s = 0;
  for (int k = 0; k < n; k++) {
    uint v = a[i * n + k];
    for (int j = 0; j < 8; j++) s += (float)(v >> 4 * j & 15) * x[8 * k + j];
  }
  out[i] = s;
}

// Not a loop of unknown length, and not one that writes elements which the next iterations read.
// CHECK-NOT: wg_read_rows_long.cl:{{.*}} remark: rows
kernel void longer(global const uint *a, global const float *x, global float *out, int n, int m) {
  int i = get_global_id(0); float s = 0;
  for (int k = 0; k < n; k++) {
    uint v = a[i * n + k];
    for (int j = 0; j < m; j++) s += (float)(v >> j) * x[m * k + j];
  }
  out[i] = s;
}

kernel void ahead(global uint *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n - 3; k++) {
    uint v = out[i * n + k];
    for (int j = 1; j < 4; j++) out[i * n + k + j] += v >> j;
  }
}
