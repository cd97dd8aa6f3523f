// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize" --remarks 2>&1 >/dev/null | filecheck %s

// Where a search reads next depends on what it has read: one work-item at a time waits for the cache in each
// iteration, lanes wait together.
// CHECK: wg_vectorize_chase.cl:[[# @LINE + 3]]:{{.*}} vectorised along x for 16 work-items [wg-vectorize]
kernel void search(global const float *sorted, global const float *q, global int *out, int n) {
  int i = get_global_id(0), lo = 0, hi = n;
  float v = q[i];
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (sorted[mid] < v) lo = mid + 1; else hi = mid;
  }
  out[i] = lo;
}

// A list has its next element in memory.
// CHECK: wg_vectorize_chase.cl:[[# @LINE + 2]]:{{.*}} vectorised along x for 16 work-items [wg-vectorize]
kernel void last(global const int *next, global int *out) {
  int p = get_global_id(0);
  while (next[p] != p) p = next[p];
  out[get_global_id(0)] = p;
}

// The rows of a sparse matrix are known before: a gather for each element takes longer than a load.
// CHECK: wg_vectorize_chase.cl:[[# @LINE + 2]]:{{.*}} not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
kernel void row(global const int *starts, global const int *columns, global const float *v, global float *out) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = starts[i]; k < starts[i + 1]; k++) sum += v[columns[k]] * v[k];
  out[i] = sum;
}

// Every second iteration reads on at a place that moves by a known step: what was read says nothing of it.
// CHECK: wg_vectorize_chase.cl:[[# @LINE + 2]]:{{.*}} not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
kernel void halves(global const int *starts, global const float *a, global const float *b, global const float *c, global float *out, int n) {
  int i = get_global_id(0), at = starts[i];
  float sum = 0;
  for (int k = 0; k < n; k++) {
    float v = 0;
    if (k & 1) {
      v = a[at] + b[at] + c[at];
      at += 5;
    }
    sum += v;
  }
  out[i] = sum;
}
