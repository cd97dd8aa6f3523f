// RUN: ocl-opt %s -p "ocl-set-local-size{size=1,1,1},simplify-breaks,ocl-to-wg,share-values,index-arithmetic,widen-indices,wg-skip-updates" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARKS
// RUN: ocl-opt %s -k largest -p "ocl-set-local-size{size=1,1,1},simplify-breaks,ocl-to-wg,share-values,index-arithmetic,widen-indices,wg-skip-updates" | filecheck %s

// The place of the largest element: four vectors of 16 are compared with what 64 iterations begin with.
// REMARKS: wg_skip_updates.cl:[[# @LINE + 3]]:{{.*}} tested 64 elements at a time [wg-skip-updates]
kernel void largest(global float *x, global int *place, int n, float best) {
  int k = -1;
  for (int i = 0; i < n; i++)
    if (x[i] > best) {
      best = x[i];
      k = i;
    }
  *place = k;
}

// CHECK-LABEL: wg.func @largest(
// CHECK:         %{{.*}}, %{{.*}} = scf.for %[[I:.*]] = {{.*}} iter_args(%[[BEST:.*]] = %best, %[[K:.*]] = %{{.*}}) -> (f32, i32) {
// CHECK-COUNT-4:   vec.cmpf ogt
// CHECK:           %[[ANY:.*]] = wg.any_lane
// CHECK-NEXT:      %{{.*}}, %{{.*}} = scf.if %[[ANY]] -> (f32, i32) {
// CHECK:             scf.for
// CHECK:               scf.if
// CHECK:             scf.yield %[[BEST]], %[[K]]
// CHECK:         scf.for

// As many elements pass at the end as at the beginning.
kernel void filter(global float *x, global int *count, int n, float least) {
  int c = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > least)
      c++;
  *count = c;
}

// REMARKS-NOT: remark
