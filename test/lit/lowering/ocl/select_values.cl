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

// What reads memory, or may have no result, or is long stays a branch; and so do flags, which loops
// ask for.
kernel void kept(global int *x, int n, int d) {
  int i = get_global_id(0), a = i, b = i, c = i;
  bool flag = false;
  if (i < n) a = x[i];
  if (d != 0) b = n / d;
  if (i > n) c = ((i * 3 + n) * 5 + d) * 7;
  if (i == n) flag = d > 1;
  x[i] = a + b + c + flag;
}
// CHECK-LABEL: ocl.kernel @kept
// CHECK:         scf.if
// CHECK:         scf.if
// CHECK:         scf.if
// CHECK:         scf.if
// CHECK-NOT:     arith.select
