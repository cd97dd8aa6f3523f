// RUN: ocl-opt %s -p count-loops,index-by-counter | filecheck %s

// Four elements of each work-item, as far as there are some: a guard of ids, in 64 bits.
kernel void four(global const float *x, global float *y, int n) {
  int i = get_global_id(0) * 4;
  for (int k = 0; k < 4; k++) {
    int j = i + k;
    if (j >= n) break;
    y[j] = 2 * x[j];
  }
}
// CHECK-LABEL: ocl.kernel @four
// CHECK:         %[[FIRST:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[N:.*]] = arith.index_cast %n : i32 to index
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[J:.*]] = arith.addi %[[FIRST]], %[[K]] : index
// CHECK-NEXT:      %[[GUARD:.*]] = arith.cmpi slt, %[[J]], %[[N]] : index
// CHECK-NEXT:      scf.if %[[GUARD]] {
// CHECK-NOT:       scf.if

// The same; what is summed stops at the bound.
kernel void sums(global const float *x, global float *y, int n) {
  int i = get_global_id(0) * 4;
  float s = 0;
  for (int k = 0; k < 4 && i + k < n; k++) s += x[i + k];
  y[i / 4] = s;
}
// CHECK-LABEL: ocl.kernel @sums
// CHECK:         scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// CHECK:           scf.if %{{.*}} -> (f32) {
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[S]] : f32

// All work-items end alike: the smaller number of iterations.
kernel void tiles(global const float *x, global float *y, int n) {
  float s = 0;
  for (int k = 0; k < 8; k++) {
    if (k >= n) break;
    s += x[k];
  }
  y[get_global_id(0)] = s;
}
// CHECK-LABEL: ocl.kernel @tiles
// CHECK:         %[[LEAST:.*]] = arith.minsi %{{.*}}, %{{.*}} : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[LEAST]]
// CHECK-NOT:       scf.if

// An element is stored before the test, which stays where it is; so does one that decides by data.
kernel void kept(global float *x, int n) {
  for (int k = 0; k < 4; k++) {
    x[k] = 1;
    if (k + get_global_id(0) >= n) break;
  }
  for (int k = 0; k < 4; k++) {
    if (x[k] > 2) break;
    x[k] = 1;
  }
}
// CHECK-LABEL: ocl.kernel @kept
// CHECK:         scf.while
// CHECK:         scf.while
// CHECK-NOT:     scf.for

// Barriers are where all work-items are.
kernel void together(global float *x, local float *t, int n) {
  int l = get_local_id(0);
  for (int k = 0; k < 4; k++) {
    if (k + get_group_id(0) >= n) break;
    t[l] = x[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = t[l ^ 1];
  }
}
// CHECK-LABEL: ocl.kernel @together
// CHECK-NOT:     scf.for
