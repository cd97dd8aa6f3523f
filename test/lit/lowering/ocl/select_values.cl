// RUN: ocl-opt %s -p inline-functions,select-values | filecheck %s

// A clamp is two selections, however it is written.
int inside(int x, int n) {
  if (x < 0) return 0;
  if (x >= n) return n - 1;
  return x;
}
kernel void clamped(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  out[i] = in[inside(i - 1, n)];
}
// CHECK-LABEL: ocl.kernel @clamped
// CHECK-NOT:     scf.if
// CHECK:         %[[LOW:.*]] = arith.cmpi slt, %[[X:.*]], %{{.*}} : i32
// CHECK:         %[[HIGH:.*]] = arith.cmpi sge, %[[X]], %n : i32
// CHECK:         %[[LAST:.*]] = arith.subi %n, %{{.*}} : i32
// CHECK-NEXT:    %[[BELOW:.*]] = arith.select %[[HIGH]], %[[LAST]], %[[X]] : i32
// CHECK-NEXT:    %[[IN:.*]] = arith.select %[[LOW]], %{{.*}}, %[[BELOW]] : i32

// Both conditions are asked at once.
kernel void flags(global const float *in, global float *out, int2 size) {
  int2 p = (int2)(get_global_id(0), get_global_id(1)) - 1;
  if (any(p < 0) || any(p >= size)) return;
  out[p.y * size.x + p.x] = in[p.y * size.x + p.x];
}
// CHECK-LABEL: ocl.kernel @flags
// CHECK-NOT:     scf.if
// CHECK:         %[[EITHER:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK:         scf.if %{{.*}} {

// Sides of a switch that do not return have the result that follows.
int code(char c) {
  switch (c) {
    case 'A': return 0;
    case 'C': return 1;
  }
  return -1;
}
kernel void codes(global const char *in, global int *out) {
  out[get_global_id(0)] = code(in[get_global_id(0)]);
}
// CHECK-LABEL: ocl.kernel @codes
// CHECK:         %[[FOUND:.*]], %{{.*}} = scf.if
// CHECK:           scf.if
// CHECK:           } else {
// CHECK:             scf.yield %[[DEFAULT:.*]], %false : i32, i1
// CHECK-NOT:     arith.select
// CHECK:         ocl.store %[[FOUND]]

// One that is computed later stays.
int computed(char c, int n) {
  switch (c) {
    case 'A': return 0;
  }
  return n;
}
kernel void later(global const char *in, global int *out) {
  int i = get_global_id(0);
  out[i] = computed(in[i], i);
}
// CHECK-LABEL: ocl.kernel @later
// CHECK:         arith.select

// What reads memory, or may have no result, or is long stays a branch; and so do flags of loops.
kernel void kept(global int *x, int n, int d) {
  int i = get_global_id(0), a = i, b = i, c = i;
  bool flag = false;
  if (i < n) a = x[i];
  if (d != 0) b = n / d;
  if (i > n) c = ((i * 3 + n) * 5 + d) * 7;
  do {
    flag = any((int2)(a, b) < n) && any((int2)(b, c) < n);
    a++;
  } while (flag);
  x[i] = a + b + c;
}
// CHECK-LABEL: ocl.kernel @kept
// CHECK:         scf.if
// CHECK:         scf.if
// CHECK:         scf.if
// CHECK:         scf.if
// CHECK-NOT:     arith.select
