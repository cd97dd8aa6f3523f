// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},inline-functions,ocl-to-wg,select-values,share-values,index-arithmetic,wg-select-loops" | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},inline-functions,ocl-to-wg,select-values,share-values,index-arithmetic,wg-select-loops" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// A reflection runs at most once where the array is not smaller than the distance. The group asks for
// n + x > 1 and 2 * n - 2 >= x + 1 at its corners; other groups run the loops. Inside there are none.
// REMARK: remark: 2 loops of at most one iteration, in groups near an array [wg-select-loops]
int reflect(int i, int n) {
  while (i < 0 || i >= n) {
    if (i < 0) i = -i;
    else i = 2 * n - 2 - i;
  }
  return i;
}
kernel void both_sides(global const float *in, global float *out, int n) {
  int x = get_global_id(0);
  out[x] = in[reflect(x - 1, n)] + in[reflect(x + 1, n)];
}
// CHECK-LABEL: wg.func @both_sides(
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         scf.while
// CHECK-NOT:         arith.select
// CHECK:         } else {
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         scf.while
// CHECK:             %[[HIGH:.*]] = arith.select
// CHECK:             arith.select %{{.*}}, %{{.*}}, %[[HIGH]] : i32
// CHECK-NOT:         scf.while
// CHECK:         } else {
// CHECK-NEXT:      wg.parallel
// CHECK:             scf.while
// CHECK:             scf.while
// CHECK:         wg.return

// -x is never negative where x is: there is nothing to ask.
// REMARK: remark: 1 loop of at most one iteration [wg-select-loops]
kernel void below(global const float *in, global float *out) {
  int x = get_global_id(0), i = x - 1;
  while (i < 0) i = -i;
  out[x] = in[i];
}
// CHECK-LABEL: wg.func @below(
// CHECK-NOT:     scf.if
// CHECK-NOT:     scf.while
// CHECK:         wg.return

// This runs several times for most work-items.
kernel void often(global const float *in, global float *out, int n) {
  int x = get_global_id(0), i = x;
  while (i < n) i = 2 * i + 1;
  out[x] = in[i];
}
// CHECK-LABEL: wg.func @often(
// CHECK:         scf.while
// CHECK-NOT:     wg.parallel
// CHECK:         wg.return

// A large region has no vectors where it has loops, which hardly any group runs.
// REMARK: remark: 24 loops of at most one iteration, in groups near an array [wg-select-loops]
#define TAP(d) i = x d; while (i < 0 || i >= n) i = i < 0 ? -i : 2 * n - 2 - i; sum += in[i];
#define TAPS(s) TAP(s 1) TAP(s 2) TAP(s 3) TAP(s 4) TAP(s 5) TAP(s 6)
kernel void large(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1), i;
  float sum = 0;
  TAPS(-) TAPS(+) TAPS(+ y -) TAPS(+ y +)
  out[x] = sum;
}
// CHECK-LABEL: wg.func @large(
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:           } else {
// CHECK:             scf.while
// CHECK:             } attributes {wg.rare, wg.lanes = array<i64: 1, 1, 1>}

// A loop that starts at what memory holds is left: the group knows nothing of it.
kernel void data(global const int *in, global float *out, int n) {
  int x = get_global_id(0), i = in[x];
  while (i < 0 || i >= n) i = i < 0 ? -i - 1 : 2 * n - 1 - i;
  out[i] = 1;
}
// CHECK-LABEL: wg.func @data(
// CHECK:         scf.while
// CHECK-NOT:     wg.parallel
// CHECK:         wg.return
// REMARK-NOT: wg-select-loops
