// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// Builtin functions, atomics and the extensions that they need.
kernel void f(global float *x, global int *n, global uint *u, global long *l, global half *h,
              global double *d) {
  int i = get_global_id(0);
  float whole;
  x[i] = fma(x[i], 2.0f, native_sin(x[i])) + modf(x[1], &whole);
  x[2] = whole + clamp(x[2], 0.0f, 1.0f) + pown(x[3], -2) + vload_half(i, h);
  vstore_half_rtz(x[4], i, h);
  int old = atomic_add(&n[0], 5);
  atomic_max(&u[1], 7u);
  atom_inc(&l[0]);
  n[i] = mad24(old, 3, (int)popcount(u[2])) + abs(n[3]);
  u[i] = rotate(u[i], 3u) + mul_hi(u[i], u[4]) + clz(u[5]);
  n[4] = add_sat(n[4], n[5]) + isnan(x[5]);
  d[i] = sqrt(d[i]);
  if (i == 0) printf("%d of %u: %f\n", n[0], u[0], x[0]);
}

//      CHECK:#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// CHECK-NEXT:#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
// CHECK-NEXT:#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
// CHECK-EMPTY:
// CHECK-NEXT:kernel void f(global float *x, global int *n, global uint *u, global long *l,  // functions.cl:3
// CHECK-NEXT:    global half *h, global double *d) {
// CHECK-NEXT:  float whole;  // functions.cl:6
// CHECK-NEXT:  int i = get_global_id(0);  // functions.cl:5
// CHECK-NEXT:  float t = x[i];  // functions.cl:7
// CHECK-NEXT:  float t_1 = x[i];
// CHECK-NEXT:  float t_2;
// CHECK-NEXT:  float t_3 = modf(x[1], &t_2);
// CHECK-NEXT:  whole = t_2;
// CHECK-NEXT:  x[i] = fma(t, 2.0f, native_sin(t_1)) + t_3;
// CHECK-NEXT:  x[2] = whole + clamp(x[2], 0.0f, 1.0f) + pown(x[3], -2) + vload_half(i, h);  // functions.cl:8
// CHECK-NEXT:  vstore_half_rtz(x[4], i, h);  // functions.cl:9
// CHECK-NEXT:  int old = atomic_add(n, 5);  // functions.cl:10
// CHECK-NEXT:  atomic_max(u + 1, 7u);  // functions.cl:11
// CHECK-NEXT:  atom_add(l, 1L);  // functions.cl:12
// CHECK-NEXT:  n[i] = mad24(old, 3, (int)popcount(u[2])) + abs(n[3]);  // functions.cl:13
// CHECK-NEXT:  u[i] = rotate(u[i], 3u) + mul_hi(u[i], u[4]) + clz(u[5]);  // functions.cl:14
// CHECK-NEXT:  float t_4 = x[5];  // functions.cl:15
// CHECK-NEXT:  n[4] = add_sat(n[4], n[5]) + isunordered(t_4, t_4);
// CHECK-NEXT:  d[i] = sqrt(d[i]);  // functions.cl:16
// CHECK-NEXT:  if (i == 0) {  // functions.cl:17
// CHECK-NEXT:    printf("%d of %u: %f\n", *n, *u, (double)*x);
// CHECK-NEXT:  }
// CHECK-NEXT:}
