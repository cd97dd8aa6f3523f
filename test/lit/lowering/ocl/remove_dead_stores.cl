// RUN: ocl-opt %s -p share-values,remove-dead-stores | filecheck %s
// RUN: ocl-opt %s -p "share-values{distinct=true},remove-dead-stores{distinct=true}" | filecheck %s --check-prefix DISTINCT

// Of three stores to one element the last one is left.
// CHECK-LABEL: ocl.kernel @steps
// CHECK:         ocl.load %y
// CHECK:         %[[PRODUCT:.*]] = arith.mulf
// CHECK-NOT:     ocl.store
// CHECK:         %[[SUM:.*]] = arith.addf %[[PRODUCT]]
// CHECK-NEXT:    ocl.store %[[SUM]]
// CHECK-NEXT:    ocl.return
kernel void steps(global float *x, global const float *y, float a) {
  size_t i = get_global_id(0);
  x[i] = y[i];
  x[i] *= a;
  x[i] += 1;
}

// What is read in between may be the same element, unless arrays are distinct.
// CHECK-LABEL: ocl.kernel @read
// CHECK-COUNT-2: ocl.store
// DISTINCT-LABEL: ocl.kernel @read
// DISTINCT-COUNT-1: ocl.store
// DISTINCT-NEXT:    ocl.return
kernel void read(global float *x, global const float *y) {
  size_t i = get_global_id(0);
  x[i] = 1;
  x[i] = y[0];
}

// Other elements may be read, also in a loop.
// CHECK-LABEL: ocl.kernel @others
// CHECK:         ocl.load
// CHECK-COUNT-1: ocl.store
// CHECK-NEXT:    ocl.return
kernel void others(global float *x, int n) {
  size_t i = get_global_id(0);
  x[i] = 1;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += x[i + 1];
  x[i] = sum;
}

// After a barrier, others may have read it; a branch may not store again; a volatile store is made.
// CHECK-LABEL: ocl.kernel @kept
// CHECK-COUNT-6: ocl.store
kernel void kept(global float *x, global volatile float *v, local float *t, int n) {
  size_t i = get_global_id(0);
  t[0] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[0] = 2;
  x[i] = 1;
  if (n) x[i] = 2;
  v[i] = 1;
  v[i] = 2;
}
