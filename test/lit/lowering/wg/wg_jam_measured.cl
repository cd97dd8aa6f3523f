// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,wg-vectorize{both=true},wg-jam" --remarks 2>&1 | filecheck %s

// Which row is the first that a point is in: a loop inside of a branch that lanes leave, in a loop
// that they leave. Four tiles that share it wait for the last of 64 lanes: whether that is faster
// than each alone is measured, before it is measured whether vectors pay.
kernel void first(global const float *box, global const float *y, global const float *at, int n,
                  global int *out) {
  int i = get_global_id(0), found = -1;
  float p = at[i];
  for (int k = 0; k < n; k++) {
    if (p < box[k]) continue;
    int sum = 0;
    for (int j = 0; j < n; j++) sum += (y[j] > p) != (y[j + 1] > p);
    if (sum & 1) { found = k; break; }
  }
  out[i] = found;
}

// CHECK-LABEL: wg.func @first
// CHECK:         [[VECTORS:%.*]] = wg.choose 0
// CHECK:         scf.if [[VECTORS]] {
// CHECK-NEXT:      [[TOGETHER:%.*]] = wg.choose 1 {wg.within}
// CHECK-NEXT:      scf.if [[TOGETHER]] {
// CHECK-NEXT:        wg.parallel ({{.*}}) in (%lx, %ly, %lz) step (64, 1, 1) {
// CHECK:             wg.parallel ({{.*}}) in (%lx, %ly, %lz) step (16, 1, 1) {
// CHECK:           wg.chosen [[TOGETHER]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      wg.parallel ({{.*}}) in (%lx, %ly, %lz) {
// CHECK:         wg.chosen [[VECTORS]]

// A loop without another one inside: the estimate decides.
kernel void powers(global const int *at, global int *out) {
  int i = get_global_id(0), n = at[i], steps = 0;
  while (n > 1) { n = n & 1 ? 3 * n + 1 : n / 2; steps++; }
  out[i] = steps;
}

// CHECK-LABEL: wg.func @powers
// CHECK:         wg.choose 0
// CHECK-NOT:     wg.choose 1
// CHECK:         wg.chosen

// CHECK: 1 rows x 4 vectors share one body [wg-jam]
// CHECK: measured while it runs: tiles wait for lanes of others [wg-jam]
// CHECK-NOT: tiles wait
