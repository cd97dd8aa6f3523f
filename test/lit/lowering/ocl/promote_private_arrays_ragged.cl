// RUN: ocl-opt %s -p inline-functions,promote-private-memory,remove-dead-values,count-loops,index-by-counter,promote-private-arrays | filecheck %s

// Data decide at which element the loop begins. What it accesses in each iteration is within the
// array: three iterations are unrolled, each under a guard.
kernel void take_out(global int *x, global const int *at) {
  int v[4], k = at[get_global_id(0)];
  for (int i = 0; i < 4; i++)
    v[i] = x[i];
  for (int j = k; j < 3; j++)
    v[j] = v[j + 1];
  for (int i = 0; i < 4; i++)
    x[i] = v[i];
}
// CHECK-LABEL: ocl.kernel @take_out
// CHECK-NOT:     ocl.alloca
// CHECK:         %k = ocl.load %at
// CHECK-NOT:     scf.for
// CHECK:         %[[TEST0:.*]] = arith.cmpi sge, %{{.*}}, %k : i32
// CHECK-NEXT:    %[[V0:.*]] = scf.if %[[TEST0]]
// CHECK:         %[[TEST1:.*]] = arith.cmpi sge, %{{.*}}, %k : i32
// CHECK-NEXT:    %[[V1:.*]] = scf.if %[[TEST1]]
// CHECK:         %[[TEST2:.*]] = arith.cmpi sge, %{{.*}}, %k : i32
// CHECK-NEXT:    %[[V2:.*]] = scf.if %[[TEST2]]
// CHECK-NOT:     scf.if
// CHECK:         ocl.store %[[V0]], %x

// It counts what is subtracted from the place: the index is counted then. The place is chosen.
kernel void put_in(global int *x, global const int *at) {
  int v[4], k = at[get_global_id(0)];
  for (int i = 0; i < 4; i++)
    v[i] = x[i];
  int first = v[k];
  for (int j = k; j > 0; j--)
    v[j] = v[j - 1];
  v[0] = first;
  for (int i = 0; i < 4; i++)
    x[i] = v[i];
}
// CHECK-LABEL: ocl.kernel @put_in
// CHECK-NOT:     ocl.alloca
// CHECK-NOT:     scf.for
// CHECK:         arith.cmpi sge, %k, %{{.*}} : i32
// CHECK-NEXT:    scf.if

// The search ends at the last element of the array at the latest.
kernel void find(global int *x, int what) {
  int v[4], j = 0;
  for (int i = 0; i < 4; i++)
    v[i] = x[4 * get_global_id(0) + i];
  while (v[j] != what)
    j++;
  x[get_global_id(0)] = j;
}
// CHECK-LABEL: ocl.kernel @find
// CHECK-NOT:     ocl.alloca
// CHECK-NOT:     scf.while

// All work-items have the same bounds: they access neighbours in memory.
kernel void alike(global int *x, int k) {
  int v[4];
  for (int i = 0; i < 4; i++)
    v[i] = x[i];
  for (int j = k; j < 3; j++)
    v[j] = v[j + 1];
  x[0] = v[0] + v[3];
}
// CHECK-LABEL: ocl.kernel @alike
// CHECK:         ocl.alloca
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c3

// With the last counter, the element under the condition is outside: the array stays.
kernel void outside(global int *x, global const int *at) {
  int v[4], k = at[get_global_id(0)];
  for (int i = 0; i < 4; i++)
    v[i] = x[i];
  for (int j = 0; j < k; j++)
    if (v[j])
      v[j + 1] = 0;
  x[0] = v[0] + v[3];
}
// CHECK-LABEL: ocl.kernel @outside
// CHECK:         ocl.alloca

// In a loop that stays, eight places of 4 bytes are chosen from to store a value, but not of 8 bytes.
kernel void nearest(global const float *x, global float *y, int n) {
  float best[8], own = x[get_global_id(0)];
  for (int i = 0; i < 8; i++)
    best[i] = INFINITY;
  for (int i = 0; i < n; i++) {
    float d = fabs(x[i] - own);
    int k = 7;
    for (; k > 0 && best[k - 1] > d; k--)
      best[k] = best[k - 1];
    best[k] = d;
  }
  y[get_global_id(0)] = best[7];
}
// CHECK-LABEL: ocl.kernel @nearest
// CHECK-NOT:     ocl.alloca

kernel void nearest_double(global const double *x, global double *y, int n) {
  double best[8], own = x[get_global_id(0)];
  for (int i = 0; i < 8; i++)
    best[i] = INFINITY;
  for (int i = 0; i < n; i++) {
    double d = fabs(x[i] - own);
    int k = 7;
    for (; k > 0 && best[k - 1] > d; k--)
      best[k] = best[k - 1];
    best[k] = d;
  }
  y[get_global_id(0)] = best[7];
}
// CHECK-LABEL: ocl.kernel @nearest_double
// CHECK:         ocl.alloca

// Bytes of 16 that a `while` of each work-item's own accesses stay in memory: single work-items run then.
kernel void stack(global const uchar *in, global uchar *out) {
  uchar way[16];
  int g = get_global_id(0), d = 0, n = in[g] & 15;
  for (int i = 0; i < 16; i++) way[i] = in[16 * g + i];
  while (d >= 0 && d < n) {
    way[d] = way[d] + 1;
    d = way[d] & 4 ? d + 1 : d - 1;
  }
  for (int i = 0; i < 16; i++) out[16 * g + i] = way[i];
}
// CHECK-LABEL: ocl.kernel @stack
// CHECK:         ocl.alloca
// CHECK:         ocl.return
