// RUN: ocl-opt %s -p inline-functions,promote-private-memory,promote-private-arrays | filecheck %s

// Each addition of the inner loop waits for the one before. Vectors of other work-items can share
// the loop and run meanwhile, unless 32 registers hold the elements of this one: they stay in
// memory.
kernel void attention(global const float *q, global const float *keys, global float *out, int n) {
  int i = get_global_id(0);
  float own[16], sums[16];
  for (int d = 0; d < 16; d++) {
    own[d] = q[i * 16 + d];
    sums[d] = 0;
  }
  for (int k = 0; k < n; k++) {
    float weight = 0;
    for (int d = 0; d < 16; d++)
      weight += own[d] * keys[k * 16 + d];
    for (int d = 0; d < 16; d++)
      sums[d] += weight * keys[k * 16 + d];
  }
  for (int d = 0; d < 16; d++)
    out[i * 16 + d] = sums[d];
}
// CHECK-LABEL: ocl.kernel @attention
// CHECK-COUNT-2: ocl.alloca

// Sums in each element do not wait for each other.
kernel void products(global const float *a, global const float *b, global float *out, int n) {
  int i = get_global_id(0);
  float sums[16] = {0};
  for (int k = 0; k < n; k++) {
    float x = a[k * n + i];
    for (int d = 0; d < 16; d++)
      sums[d] += x * b[k * 16 + d];
  }
  for (int d = 0; d < 16; d++)
    out[i * 16 + d] = sums[d];
}
// CHECK-LABEL: ocl.kernel @products
// CHECK-NOT:     ocl.alloca

// Nor does it matter where no loop runs around the sum.
kernel void norms(global const float *x, global float *out) {
  int i = get_global_id(0);
  float row[16], sum = 0;
  for (int d = 0; d < 16; d++)
    row[d] = x[i * 16 + d];
  for (int d = 0; d < 16; d++)
    sum += row[d] * row[d];
  for (int d = 0; d < 16; d++)
    out[i * 16 + d] = row[d] / sum;
}
// CHECK-LABEL: ocl.kernel @norms
// CHECK-NOT:     ocl.alloca
