// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// The IR's integers have no sign: declared types, operations and C's rules give it back.
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
// Variables have the types that the source declares, though nothing else tells the sign of h.
typedef struct { uint low; int high; } Pair;
uint hash(uint start, int n) {
  uint h = start;
  int k = 0;
  while (k != n)
    h = h * 33 + k++;
  return h;
}
kernel void hashes(global uint *u, global int *s, int n) {
  Pair p = {s[0] + n, s[1]};
  u[0] = hash(5381, p.low + p.high);
  u[1] = s[2] * 2654435761u >> 3;
}

//      CHECK:typedef struct {
// CHECK-NEXT:  uint low;
// CHECK-NEXT:  int high;
// CHECK-NEXT:} Pair;
// CHECK-EMPTY:
// CHECK-NEXT:uint hash(uint start, int n) {  // signs.cl:16
// CHECK-NEXT:  uint h = start;  // signs.cl:19
// CHECK-NEXT:  int k = 0;
// CHECK-NEXT:  while (k != n) {
// CHECK-NEXT:    h = h * 33 + k;
// CHECK-NEXT:    k += 1;
// CHECK-NEXT:  }
// CHECK-NEXT:  return h;  // signs.cl:16
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:kernel void f(global uint *u, global int *s, global uchar *b, uint n) {  // signs.cl:3
// CHECK-NEXT:  ulong g = get_global_id(0);  // signs.cl:4
// CHECK-NEXT:  uint h = u[g] * 0x9e3779b1u;  // signs.cl:5
// CHECK-NEXT:  h ^= h >> 15;  // signs.cl:6
// CHECK-NEXT:  u[g] = h % n;  // signs.cl:7
// CHECK-NEXT:  int d = s[g] / 3;  // signs.cl:8
// CHECK-NEXT:  s[g] = d < -1 ? d >> 1 : (int)(u[g] < 5u);  // signs.cl:9
// CHECK-NEXT:  b[g] += 200;  // signs.cl:10
// CHECK-NEXT:  s[g + 1] = (uint)d / 7u;  // signs.cl:11
// CHECK-NEXT:  s[g + 2] = (char)b[g];  // signs.cl:12
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:kernel void hashes(global uint *u, global int *s, int n) {  // signs.cl:23
// CHECK-NEXT:  Pair p;  // signs.cl:24
// CHECK-NEXT:  p.low = *s + n;
// CHECK-NEXT:  p.high = s[1];
// CHECK-NEXT:  *u = hash(5381, p.low + p.high);  // signs.cl:25
// CHECK-NEXT:  u[1] = (s[2] * 0x9e3779b1u) >> 3;  // signs.cl:26
// CHECK-NEXT:}
