// RUN: ocl-opt %s -cl-fast-relaxed-math | filecheck %s
// RUN: ocl-opt %s -cl-fast-relaxed-math | ocl-opt -f mlir - | filecheck %s
// RUN: ocl-opt %s -cl-unsafe-math-optimizations | filecheck %s
// RUN: ocl-opt %s -cl-no-signed-zeros | filecheck %s --check-prefix=ZEROS
// RUN: ocl-opt %s -cl-finite-math-only | filecheck %s --check-prefix=EXACT
// RUN: ocl-opt %s | filecheck %s --check-prefix=EXACT
// What the options permit is written to each operation. A comparison has no flag: there may be NaNs
// and infinities. Where the program asks for each rounding, there is none either.

kernel void k(global float *o, float a, float b) {
  o[0] = -(a + b) / sqrt(a);
  o[1] = mad(a, b, a);
  o[2] = o[0] < INFINITY ? fma(a, b, a) : 0;
  {
    #pragma OPENCL FP_CONTRACT OFF
    o[3] = a * b + o[2];
  }
}
// CHECK:        arith.addf %a, %b fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK-NEXT:   arith.negf %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK-NEXT:   math.sqrt %a fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK-NEXT:   arith.divf %{{.*}}, %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK:        %[[P:.*]] = arith.mulf %a, %b fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK-NEXT:   arith.addf %[[P]], %a fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK:        arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK:        math.fma %a, %b, %a : f32
// CHECK:        %[[Q:.*]] = arith.mulf %a, %b {ocl.no_contract} : f32
// CHECK:        arith.addf %[[Q]], %{{.*}} {ocl.no_contract} : f32

// ZEROS:        arith.addf %a, %b fastmath<nsz> : f32
// ZEROS:        arith.divf %{{.*}}, %{{.*}} fastmath<nsz> : f32
// ZEROS:        ocl.builtin "mad"

// EXACT-NOT:    fastmath
