// RUN: ocl-opt %s | filecheck %s
// A product may be fused with the sum that it is an operand of. One whose value leaves the
// expression is rounded.

float square(float x) { return x * x; }

kernel void k(global float *o, float a, float b, float c) {
  o[0] += a * b;
  o[0] = c - -(a * b) * c;
  float p = a * b;
  o[0] = p + c;
  {
    #pragma OPENCL FP_CONTRACT OFF
    o[0] = a * b + c;
  }
  o[0] = a * b + c + square(a);
}
// CHECK:      arith.mulf %x, %x {ocl.no_contract} : f32
// CHECK:      ocl.kernel @k
// CHECK-NEXT:   [[A:%.*]] = arith.mulf %a, %b : f32
// CHECK:        arith.addf %{{.*}}, [[A]] : f32
// CHECK:        [[B:%.*]] = arith.mulf %a, %b : f32
// CHECK-NEXT:   [[N:%.*]] = arith.negf [[B]] : f32
// CHECK-NEXT:   [[M:%.*]] = arith.mulf [[N]], %c : f32
// CHECK-NEXT:   arith.subf %c, [[M]] : f32
// CHECK:        %p = arith.mulf %a, %b {ocl.no_contract} : f32
// CHECK-NEXT:   arith.addf %p, %c : f32
// CHECK:        [[C:%.*]] = arith.mulf %a, %b {ocl.no_contract} : f32
// CHECK-NEXT:   arith.addf [[C]], %c {ocl.no_contract} : f32
// CHECK:        [[D:%.*]] = arith.mulf %a, %b : f32
// CHECK-NEXT:   arith.addf [[D]], %c : f32
