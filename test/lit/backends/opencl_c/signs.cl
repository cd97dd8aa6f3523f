// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// The IR's integers have no sign: types of parameters, operations and C's rules give it back.
kernel void f(global uint *u, global int *s, global uchar *b, uint n) {
  size_t g = get_global_id(0);
  uint h = u[g] * 2654435761u;
  h ^= h >> 15;
  u[g] = h % n;
  int d = s[g] / 3;
  s[g] = d < -1 ? d >> 1 : (int)(u[g] < 5u);
  b[g] = (uchar)(b[g] + 200);
  s[g + 1] = (uint)d / 7u;
  s[g + 2] = (char)b[g];
}

//      CHECK:kernel void f(global uint *u, global int *s, global uchar *b, uint n) {  // signs.cl:3
// CHECK-NEXT:  long g = get_global_id(0);  // signs.cl:4
// CHECK-NEXT:  uint h = u[g] * 0x9e3779b1u;  // signs.cl:5
// CHECK-NEXT:  h ^= h >> 15;  // signs.cl:6
// CHECK-NEXT:  uint t = h % n;  // signs.cl:7
// CHECK-NEXT:  u[g] = t;
// CHECK-NEXT:  int d = s[g] / 3;  // signs.cl:8
// CHECK-NEXT:  s[g] = d < -1 ? d >> 1 : (int)(u[g] < 5u);  // signs.cl:9
// CHECK-NEXT:  b[g] += 200;  // signs.cl:10
// CHECK-NEXT:  s[g + 1] = (uint)d / 7u;  // signs.cl:11
// CHECK-NEXT:  s[g + 2] = (char)b[g];  // signs.cl:12
// CHECK-NEXT:}
