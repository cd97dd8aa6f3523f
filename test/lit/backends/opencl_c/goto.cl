// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// Jumps become loops and branches.
kernel void f(global int *x, int n) {
  int i = 0, sum = 0;
again:
  if (x[i] < 0) goto end;
  sum += x[i];
  if (++i < n) goto again;
end:
  x[0] = sum;
}

//      CHECK:kernel void f(global int *x, int n) {  // goto.cl:3
// CHECK-NEXT:  int i = 0;  // goto.cl:6
// CHECK-NEXT:  int sum = 0;
// CHECK-NEXT:  int sum_1;
// CHECK-NEXT:  while (true) {
// CHECK-NEXT:    bool repeat;
// CHECK-NEXT:    if (x[i] < 0) {
// CHECK-NEXT:      repeat = false;
// CHECK-NEXT:    } else {
// CHECK-NEXT:      int i_1 = i + 1;  // goto.cl:8
// CHECK-NEXT:      sum += x[i];  // goto.cl:6
// CHECK-NEXT:      i = i_1;
// CHECK-NEXT:      repeat = i_1 < n;
// CHECK-NEXT:    }
// CHECK-NEXT:    sum_1 = sum;
// CHECK-NEXT:    if (!repeat) break;
// CHECK-NEXT:  }
// CHECK-NEXT:  *x = sum_1;  // goto.cl:10
// CHECK-NEXT:}
