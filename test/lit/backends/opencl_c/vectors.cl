// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// Swizzles, literals, comparisons and conversions of vectors.
kernel void f(global float4 *x, global int4 *m, global uchar4 *c, global float16 *w, float a) {
  float4 v = x[0];
  x[1] = (float4)(v.zyx, a) * a + 2.0f;
  x[2] = v.x > a ? v : -v;
  m[0] = v < x[3] && m[1] != 3;
  x[4] = select(v, x[1], v < a);
  c[0] = convert_uchar4_sat_rte(v * 255.0f);
  v.y = dot(v, x[5]);
  x[6] = v;
  w[0].s8a = v.xw;
}

//      CHECK:kernel void f(global float4 *x, global int4 *m, global uchar4 *c,  // vectors.cl:3
// CHECK-NEXT:    global float16 *w, float a) {
// CHECK-NEXT:  float4 v = *x;  // vectors.cl:4
// CHECK-NEXT:  x[1] = (float4)(v.zyx, a) * a + 2.0f;  // vectors.cl:5
// CHECK-NEXT:  x[2] = v.x > a ? v : -v;  // vectors.cl:6
// CHECK-NEXT:  *m = (v < x[3]) & (m[1] != 3);  // vectors.cl:7
// CHECK-NEXT:  x[4] = select(v, x[1], v < a);  // vectors.cl:8
// CHECK-NEXT:  *c = convert_uchar4_sat_rte(v * 255.0f);  // vectors.cl:9
// CHECK-NEXT:  v.y = dot(v, x[5]);  // vectors.cl:10
// CHECK-NEXT:  x[6] = v;  // vectors.cl:11
// CHECK-NEXT:  float2 v_1 = v.xw;  // vectors.cl:12
// CHECK-NEXT:  w->s8 = v_1.x;
// CHECK-NEXT:  w->sa = v_1.y;
// CHECK-NEXT:}
