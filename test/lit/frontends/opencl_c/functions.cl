// RUN: ocl-opt %s | filecheck %s
// Functions that kernels call are private; kernels that kernels call have a copy.

float square(float x);

static inline float sum(const float a, float b) { return square(a) + square(b); }

float square(float x) { return x * x; }

float unused(float x) { return x; }

kernel void inner(global float *x, float a) {
  if (a < 0)
    return;
  x[0] = sum(a, 2.0f);
}

kernel void outer(global float *x) { inner(x, 3.0f); }

// CHECK-LABEL: func.func private @sum(%a: f32, %b: f32) -> f32 {
// CHECK-NEXT:     %0 = func.call @square(%a) : (f32) -> f32
// CHECK-NEXT:     %1 = func.call @square(%b) : (f32) -> f32
// CHECK-NEXT:     %result = arith.addf %0, %1 : f32
// CHECK-NEXT:     func.return %result : f32
// CHECK-NEXT:   }

// CHECK-LABEL: func.func private @square(%x: f32) -> f32 {
// CHECK-NEXT:     %result = arith.mulf %x, %x {ocl.no_contract} : f32
// CHECK-NEXT:     func.return %result : f32
// CHECK-NEXT:   }

// CHECK-LABEL: func.func private @inner_function(%x: !ocl.ptr<f32, global>, %a: f32) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = arith.cmpf uge, %a, %cst : f32
// CHECK-NEXT:     scf.if %0 {
// CHECK-NEXT:       %cst_1 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:       %1 = func.call @sum(%a, %cst_1) : (f32, f32) -> f32
// CHECK-NEXT:       ocl.store %1, %x : !ocl.ptr<f32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     func.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @inner(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}, %a: f32 {ocl.name = "a", ocl.type = "float"}) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = arith.cmpf uge, %a, %cst : f32
// CHECK-NEXT:     scf.if %0 {
// CHECK-NEXT:       %cst_1 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:       %1 = func.call @sum(%a, %cst_1) : (f32, f32) -> f32
// CHECK-NEXT:       ocl.store %1, %x : !ocl.ptr<f32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @outer(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}) {
// CHECK-NEXT:     %cst = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:     func.call @inner_function(%x, %cst) : (!ocl.ptr<f32, global>, f32) -> ()
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
