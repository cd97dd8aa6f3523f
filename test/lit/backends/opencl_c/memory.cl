// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// Arrays, structures and pointers, in the address spaces of the source.
typedef struct {
  float4 pos;
  uint flags[2];
} Body;
constant int weights[2][2] = {{1, 2}, {3, 4}};
float lift(global Body *b, local float *t) { return b->pos.y + t[0]; }

__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void f(global Body *bodies, global const float4 *v, local float *given, int n) {
  local float tile[16][17];
  int l = get_local_id(0);
  tile[l][l] = v[l].x;
  barrier(CLK_LOCAL_MEM_FENCE);
  Body b = bodies[l];
  b.flags[n & 1] |= 4u;
  b.pos = vload4(l, &tile[0][0]);
  b.pos.w += lift(&bodies[1], given) * weights[1][n & 1];
  bodies[l + 1] = b;
}

//      CHECK:typedef struct {
// CHECK-NEXT:  float4 pos;
// CHECK-NEXT:  uint flags[2];
// CHECK-NEXT:} Body;
// CHECK-EMPTY:
// CHECK-NEXT:constant int weights[2][2] = {{[{][{]}}1, 2}, {3, 4}};  // memory.cl:7
// CHECK-EMPTY:
// CHECK-NEXT:float lift(global Body *b, local float *t) {  // memory.cl:8
// CHECK-NEXT:  return b->pos.y + *t;
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:__attribute__((reqd_work_group_size(16, 1, 1)))  // memory.cl:11
// CHECK-NEXT:kernel void f(global Body *bodies, const global float4 *v, local float *given,
// CHECK-NEXT:    int n) {
// CHECK-NEXT:  local float tile[16][17];  // memory.cl:12
// CHECK-NEXT:  Body b;  // memory.cl:16
// CHECK-NEXT:  int l = get_local_id(0);  // memory.cl:13
// CHECK-NEXT:  tile[l][l] = v[l].x;  // memory.cl:14
// CHECK-NEXT:  barrier(CLK_LOCAL_MEM_FENCE);  // memory.cl:15
// CHECK-NEXT:  b = bodies[l];  // memory.cl:16
// CHECK-NEXT:  int t = n & 1;  // memory.cl:17
// CHECK-NEXT:  b.flags[t] |= 4;
// CHECK-NEXT:  b.pos = vload4(l, tile[0]);  // memory.cl:18
// CHECK-NEXT:  b.pos.w += lift(bodies + 1, given) * (float)weights[1][n & 1];  // memory.cl:19
// CHECK-NEXT:  bodies[l + 1] = b;  // memory.cl:20
// CHECK-NEXT:}
