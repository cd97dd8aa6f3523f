// RUN: ocl-opt %s -p "expand-math{fused=false}" | filecheck %s

// Without fused multiply-adds and f64. What is subtracted from the argument of exp2 is exact; a
// polynomial is products and sums, each rounded.
func.func @exp2(%x: f32) -> f32 {
  %y = math.exp2 %x : f32
  func.return %y : f32
}
// CHECK-LABEL: func.func @exp2
// CHECK-NOT:     math.
// CHECK:         %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} {ocl.no_contract} : f32
// CHECK:         arith.addf %[[P]], %{{.*}} {ocl.no_contract} : f32
// CHECK-NOT:     math.
// CHECK:         func.return

// The error of a product is found by Dekker's method: 4097 cuts a number in two halves.
func.func @pow(%x: f32, %y: f32) -> f32 {
  %z = math.powf %x, %y : f32
  func.return %z : f32
}
// CHECK-LABEL: func.func @pow
// CHECK-NOT:     f64
// CHECK:         arith.constant 4.097000e+03 : f32
// CHECK-NOT:     f64

// A large angle is multiplied by 2/pi in integers.
func.func @sin(%x: f32) -> f32 {
  %y = math.sin %x : f32
  func.return %y : f32
}
// CHECK-LABEL: func.func @sin
// CHECK-NOT:     f64
// CHECK:         scf.if
// CHECK:           arith.mului_extended
// CHECK-NOT:     f64
