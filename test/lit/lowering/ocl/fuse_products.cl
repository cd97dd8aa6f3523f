// RUN: ocl-opt %s -p fuse-products | filecheck %s

// A product and a sum of one expression are rounded once. Which of two products is fused does not
// depend on what follows: it is the first one.
kernel void sums(global float *x, float a, float b) {
  x[0] = a * b + x[0];
  x[1] = x[1] - a * b;
  x[2] = a * b - x[2];
  x[3] = -(a * b) - x[3];
  x[4] = a * x[4] + b * x[5];
}
// CHECK-LABEL: ocl.kernel @sums
// CHECK:         math.fma %a, %b, %{{.*}} : f32
// CHECK:         %[[LESS:.*]] = arith.negf %a : f32
// CHECK-NEXT:    math.fma %[[LESS]], %b, %{{.*}} : f32
// CHECK:         %[[TERM:.*]] = arith.negf %{{.*}} : f32
// CHECK-NEXT:    math.fma %a, %b, %[[TERM]] : f32
// CHECK:         %[[LESS:.*]] = arith.negf %a : f32
// CHECK-NEXT:    %[[TERM:.*]] = arith.negf %{{.*}} : f32
// CHECK-NEXT:    math.fma %[[LESS]], %b, %[[TERM]] : f32
// CHECK:         %[[FIRST:.*]] = ocl.load
// CHECK:         %[[SECOND:.*]] = arith.mulf %b, %{{.*}} {ocl.no_contract} : f32
// CHECK-NEXT:    math.fma %a, %[[FIRST]], %[[SECOND]] : f32

// A product that has a name is rounded, as OpenCL C says; so is one of `half`, and whatever else
// LLVM could put together.
kernel void rounded(global float *x, global half *h, float a, float b) {
  float p = a * b;
  x[0] = p + x[0];
  h[0] = h[1] * h[2] + h[0];
  x[1] = (a < b ? a * b : a) + x[1];
}
// CHECK-LABEL: ocl.kernel @rounded
// CHECK-NOT:     math.fma
// CHECK-NOT:     arith.{{(mul|add)}}f %{{[^{}]*$}}
// CHECK:         ocl.return

// Vectors of the program are fused as scalars are.
kernel void vectors(global double4 *x, double4 a) {
  x[0] = a * x[1] + x[0];
}
// CHECK-LABEL: ocl.kernel @vectors
// CHECK:         math.fma %a, %{{.*}}, %{{.*}} : vector<4xf64>
