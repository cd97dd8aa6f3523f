// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// An expression of the source is one again; parentheses stand where C needs them, and where not
// everyone knows that it does not. The source line is behind the first statement of each.
kernel void f(global const float *x, global float *y, global int *z, float a, int n) {
  int i = get_global_id(0);
  float d = x[i] - (a - 1.0f);
  y[i] += d * (d + 0.5f) / -a;
  z[i] = (n & 1) == 0 || i < n * 2 && n > 3 ? i % (n / 2) : ~(i << 3 | 1);
  // What a store may change is read before it.
  float old = y[i + 1];
  y[0] = 1.0f;
  y[i + 2] = old;
}

//      CHECK:kernel void f(const global float *x, global float *y, global int *z, float a,  // expressions.cl:4
// CHECK-NEXT:    int n) {
// CHECK-NEXT:  int i = get_global_id(0);  // expressions.cl:5
// CHECK-NEXT:  float d = x[i] - (a - 1.0f);  // expressions.cl:6
// CHECK-NEXT:  y[i] += d * (d + 0.5f) / -a;  // expressions.cl:7
// CHECK-NEXT:  bool t = (n & 1) == 0 || (i < n * 2 && n > 3);  // expressions.cl:8
// CHECK-NEXT:  z[i] = t ? i % (n / 2) : ~((i << 3) | 1);
// CHECK-NEXT:  float old = y[i + 1];  // expressions.cl:10
// CHECK-NEXT:  *y = 1.0f;  // expressions.cl:11
// CHECK-NEXT:  y[i + 2] = old;  // expressions.cl:12
// CHECK-NEXT:}
