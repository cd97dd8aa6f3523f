// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// Loops and branches come back as the source had them. Values that loops carry are variables.
kernel void f(global int *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0)
      sum += x[i];
    else if (x[i] < -10)
      sum -= 1;
  }
  while (sum > 100)
    sum /= 2;
  do {
    sum = sum * 3 + 1;
  } while (sum < n);
  int a = 0, b = 1;
  for (int k = 0; k < n; k += 2) {
    int t = a + b;
    a = b;
    b = t;
  }
  x[0] = sum + a;
}

//      CHECK:kernel void f(global int *x, int n) {  // control_flow.cl:3
// CHECK-NEXT:  int sum = 0;  // control_flow.cl:5
// CHECK-NEXT:  for (int i = 0; i < n; i++) {
// CHECK-NEXT:    if (x[i] > 0) {  // control_flow.cl:6
// CHECK-NEXT:      sum += x[i];
// CHECK-NEXT:    } else if (x[i] < -10) {
// CHECK-NEXT:      sum -= 1;  // control_flow.cl:8
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  while (sum > 100) {  // control_flow.cl:11
// CHECK-NEXT:    sum /= 2;
// CHECK-NEXT:  }
// CHECK-NEXT:  do {  // control_flow.cl:13
// CHECK-NEXT:    sum = sum * 3 + 1;  // control_flow.cl:14
// CHECK-NEXT:  } while (sum < n);  // control_flow.cl:13
// CHECK-NEXT:  int a = 0;  // control_flow.cl:17
// CHECK-NEXT:  int b = 1;
// CHECK-NEXT:  for (int k = 0; k < n; k += 2) {
// CHECK-NEXT:    int b_1 = b;
// CHECK-NEXT:    b = a + b;
// CHECK-NEXT:    a = b_1;
// CHECK-NEXT:  }
// CHECK-NEXT:  *x = sum + a;  // control_flow.cl:22
// CHECK-NEXT:}
