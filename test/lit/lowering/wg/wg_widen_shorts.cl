// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},inline-functions,ocl-to-wg,select-values,share-values,ocl-expand-builtins,index-arithmetic,wg-widen-shorts" | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},inline-functions,ocl-to-wg,select-values,share-values,ocl-expand-builtins,index-arithmetic,wg-widen-shorts" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// In a launch whose ids, and sums of them, are below 32768 none is cut. Others run the code as it was.
// REMARK: remark: 3 numbers are not cut where they fit [wg-widen-shorts]
kernel void neighbour(global const float *in, global float *out) {
  short x = get_global_id(0), left = x > 0 ? x - 1 : 0;
  out[x] = in[left];
}
// CHECK-LABEL: wg.func @neighbour(
// CHECK:         %[[GROUPS:.*]] = ocl.num_groups 0 : index
// CHECK-NEXT:    %[[LAST:.*]] = arith.addi %[[GROUPS]], %c-1
// CHECK-NEXT:    arith.muli %[[LAST]], %c64
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         i16
// CHECK:             arith.select
// CHECK-NOT:         i16
// CHECK:             ocl.load
// CHECK:         } else {
// CHECK:           wg.parallel
// CHECK:             arith.index_cast %{{.*}} : i16 to index
// CHECK-NOT:     wg.rare

// Local ids always fit.
kernel void local_ids(global const float *in, global float *out) {
  uchar l = get_local_id(0);
  out[get_global_id(0)] = in[l];
}
// CHECK-LABEL: wg.func @local_ids(
// CHECK-NOT:     scf.if
// CHECK-NOT:     i8
// CHECK:         wg.return

// What a function returns lies between both sides of its selections. A counter is what its loop
// counts to, and the sides of a branch are extended.
// REMARK: remark: 7 numbers are not cut where they fit [wg-widen-shorts]
int wrap(int i, int n) {
  if (i < 0) i += n;
  if (i >= n) i -= n;
  return i;
}
kernel void function(global const float *in, global float *out, int n, int r) {
  short x = get_global_id(0);
  float sum = 0;
  for (short k = 1; k <= r; k++) {
    short left = wrap(x - k, n), right = x + k;
    if (right >= n) right = 2 * (n - 1) - right;
    sum += in[left] + in[right];
  }
  out[x] = sum;
}
// CHECK-LABEL: wg.func @function(
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         i16
// CHECK:             scf.for
// CHECK-NOT:         i16
// CHECK:             scf.if %{{.*}} -> (index)
// CHECK-NOT:         i16
// CHECK:           }
// CHECK:         } else {

// A loop that wraps a coordinate ends between its start and the bound less, or more, a step.
// REMARK: remark: 3 numbers are not cut where they fit [wg-widen-shorts]
kernel void loops(global const float *in, global float *out, int n) {
  short x = get_global_id(0);
  int left = x - 1;
  while (left < 0) left += n;
  short place = left;
  out[x] = in[place];
}
// CHECK-LABEL: wg.func @loops(
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         i16
// CHECK:             scf.while
// CHECK-NOT:         i16
// CHECK:             ocl.load
// CHECK:         } else {

// In several dimensions, ids of 16 bits nearly always fit. What others run has no vectors then if it
// is large: LLVM compiles the first version as if it was alone.
// REMARK: remark: 25 numbers are not cut where they fit [wg-widen-shorts]
#define TAP(x) sum += in[(short)(x > 0 ? x - 1 : 0)];
#define TAPS(x) TAP(x) TAP((short)(x + 1)) TAP((short)(x + 2)) TAP((short)(x + 3))
kernel void large(global const float *in, global float *out) {
  short x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  float sum = 0;
  TAPS(x) TAPS(y) TAPS(z)
  out[x] = sum;
}
// CHECK-LABEL: wg.func @large(
// CHECK:         } else {
// CHECK:           } attributes {wg.rare, wg.lanes = array<i64: 1, 1, 1>}

// An absolute value is never negative, nor is a maximum of a number and 0: all that is asked of the
// launch is that its largest id fits.
// REMARK: remark: 4 numbers are not cut where they fit [wg-widen-shorts]
kernel void mirrored(global const float *in, global float *out) {
  ushort x = get_global_id(0);
  int left = abs(x - 2);
  ushort near = left, first = max(x - 1, 0);
  out[x] = in[near] + in[first];
}
// CHECK-LABEL: wg.func @mirrored(
// CHECK:         %[[FITS:.*]] = arith.cmpi sle, %c-65535,
// CHECK-NEXT:    scf.if %[[FITS]] {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         i16
// CHECK:         } else {

// Nothing is known of numbers in memory.
// REMARK-NOT: fit
kernel void data(global const int *places, global const float *in, global float *out) {
  int i = get_global_id(0);
  short at = places[i];
  out[i] = in[at];
}
// CHECK-LABEL: wg.func @data(
// CHECK:         arith.trunci %{{.*}} : i32 to i16
