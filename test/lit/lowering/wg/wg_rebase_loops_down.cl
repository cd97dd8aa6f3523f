// RUN: ocl-opt %s -p "ocl-set-local-size{size=64},count-loops,index-by-counter,ocl-to-wg,wg-rebase-loops,wg-hoist-grid-loops" | filecheck %s

// A grid-stride loop from the end of an array: neighbours start alike, and the last of them end
// earlier. It runs around the group.
kernel void down(global const float *x, global float *y, int n) {
  for (int i = n - 1 - get_global_id(0); i >= 0; i -= get_global_size(0)) y[i] = 2 * x[i];
}
// CHECK-LABEL: wg.func @down
// CHECK:         %[[SIZE:.*]] = ocl.global_size 0 : index
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %[[SIZE]] {
// CHECK-NEXT:      wg.parallel
// CHECK:             arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:        scf.if
// CHECK-NOT:         scf.for

// By pointers.
kernel void pointers(global const float *x, global float *y, int n) {
  global const float *p = x + get_global_id(0);
  global float *q = y + get_global_id(0);
  while (p < x + n) {
    *q = 2 * *p;
    p += get_global_size(0);
    q += get_global_size(0);
  }
}
// CHECK-LABEL: wg.func @pointers
// CHECK:         scf.for
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         scf.for

// What a loop carries stays in each work-item.
kernel void sums(global const float *x, global float *y, int n) {
  float s = 0;
  for (int i = n - 1 - get_global_id(0); i >= 0; i -= get_global_size(0)) s += x[i];
  y[get_global_id(0)] = s;
}
// CHECK-LABEL: wg.func @sums
// CHECK:         wg.parallel
// CHECK:           scf.for
