// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// `ocl.no_contract` keeps a product and a sum apart; so does the option, for the whole program.
func.func @keep(%a: f32, %b: f32) -> f32 {
  %p = arith.mulf %a, %b {ocl.no_contract} : f32
  %s = arith.addf %p, %a {ocl.no_contract} : f32
  func.return %s : f32
}
ocl.kernel @f(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}) {
  %a = ocl.load %x : !ocl.ptr<f32, global>
  %k = func.call @keep(%a, %a) : (f32, f32) -> f32
  %m = arith.mulf %k, %k : f32
  %s = arith.addf %m, %a : f32
  ocl.store %s, %x : !ocl.ptr<f32, global>
  ocl.return
}

//      CHECK:float keep(float a, float b) {  // contract.mlir:3
// CHECK-NEXT:  #pragma OPENCL FP_CONTRACT OFF
// CHECK-NEXT:  float p = a * b;  // contract.mlir:4
// CHECK-NEXT:  return p + a;  // contract.mlir:6
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:kernel void f(global float *x) {  // contract.mlir:8
// CHECK-NEXT:  float a = *x;  // contract.mlir:9
// CHECK-NEXT:  float k = keep(a, a);  // contract.mlir:10
// CHECK-NEXT:  float m = k * k;  // contract.mlir:11
// CHECK-NEXT:  float s = m + a;  // contract.mlir:12
// CHECK-NEXT:  *x = s;  // contract.mlir:13
// CHECK-NEXT:}
