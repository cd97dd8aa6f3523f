// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,carry-remainders" --remarks 2>&1 | filecheck %s

// A loop around a ring: the next remainder is the one before and 1, or 0. Where the sum has wrapped, a branch divides.
// CHECK-LABEL: wg.func @ring
// CHECK:       [[FIRST:%.*]] = arith.remui {{%.*}}, %n : i32
// CHECK:       scf.for {{.*}} iter_args({{.*}}, [[NUMBER:%.*]] = {{%.*}}, [[REST:%.*]] = [[FIRST]])
// CHECK-NOT:   arith.remui
// CHECK:       ocl.load %x
// CHECK:       [[NEXT:%.*]] = arith.addi [[NUMBER]], {{%.*}} : i32
// CHECK:       arith.cmpi ult, [[REST]], {{%.*}} : i32
// CHECK:       [[MOVED:%.*]] = arith.select
// CHECK:       scf.if {{%.*}} -> (i32) {
// CHECK-NEXT:    scf.yield [[MOVED]] : i32
// CHECK-NEXT:  } else {
// CHECK-NEXT:    [[EXACT:%.*]] = arith.remui [[NEXT]], %n : i32
// CHECK-NEXT:    scf.yield [[EXACT]] : i32
// CHECK-NEXT:  }{wg.likely}
kernel void ring(global const float *x, global float *y, uint n, int taps) {
  uint i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < taps; k++) sum += x[(i + k) % n];
  y[i] = sum;
}

// A search that may end early goes down.
// CHECK-LABEL: wg.func @search
// CHECK:       scf.while
// CHECK-NOT:   arith.remsi
// CHECK:       scf.condition
// CHECK:       scf.if
// CHECK:       } else {
// CHECK-NEXT:    arith.remsi
kernel void search(global const int *x, global int *y, int n, int head) {
  int i = get_global_id(0), k = 0;
  while (k < n && x[(head + n - k) % n] != i) k++;
  y[i] = k;
}

// A number that goes around by itself is below its divisor, after the first iteration at least.
// CHECK-LABEL: wg.func @probe
// CHECK:       do {
// CHECK-NOT:   arith.remui
// CHECK:       arith.cmpi ult, {{%.*}}, %n : i32
// CHECK:       scf.if {{%.*}} -> (i32) {
// CHECK:       } else {
// CHECK-NEXT:    arith.remui
kernel void probe(global const uint *table, global uint *at, uint n) {
  uint i = get_global_id(0), r = at[i];
  while (table[r] != i) r = (r + 1) % n;
  at[i] = r;
}

// A division of the same numbers gives the remainder, too.
// CHECK-LABEL: wg.func @both
// CHECK:       scf.for
// CHECK:       arith.remui
// CHECK:       arith.divui
kernel void both(global const float *x, global float *y, uint n, uint m) {
  uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < m; k++) sum += x[k % n] * x[k / n];
  y[i] = sum;
}

// Only some iterations compute it.
// CHECK-LABEL: wg.func @some
// CHECK:       scf.for
// CHECK:       scf.if
// CHECK:       arith.remui
kernel void some(global const float *x, global float *y, uint n, uint m) {
  uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < m; k++) if (x[k] > 0) sum += x[(i + k) % n];
  y[i] = sum;
}

// CHECK:      :49:29: remark: a remainder moves without a division [carry-remainders]
// CHECK-NEXT: :35:21: remark: a remainder is carried [carry-remainders]
// CHECK-NEXT: :21:43: remark: a remainder is carried [carry-remainders]
// CHECK-NOT:  remark
