// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-read-rows" --remarks 2>&1 >/dev/null | filecheck %s

// LLVM would make vectors of the sum of integers for one work-item, but not of what comes before:
// work-items become lanes, and both loops read rows of each.
// CHECK:      wg_read_rows_beside.cl:[[# @LINE + 4]]:{{.*}} remark: rows of several elements at once
// CHECK-NEXT: wg_read_rows_beside.cl:[[# @LINE + 4]]:{{.*}} remark: rows of several elements at once
kernel void both(global const float *a, global const int *b, global float *o, int n) {
  int i = get_global_id(0), sum = 0; float low = a[i * n], high = 0;
  for (int k = 0; k < n; k++) { low = fmin(low, a[i * n + k]); high = fmax(high * 0.5f, a[i * n + k]); }
  for (int k = 0; k < n; k++) sum += b[i * n + k];
  o[i] = low + high + sum;
}

// Alone it stays.
// CHECK-NOT: remark: rows
kernel void alone(global const int *b, global int *o, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < n; k++) sum += b[i * n + k];
  o[i] = sum;
}
