// RUN: ocl-opt %s -p "expand-math{budget=50}" | filecheck %s
// RUN: ocl-opt %s -p "expand-math{budget=5000}" | filecheck %s --check-prefix=INLINE

// Two expansions of exp would exceed the budget: there is one, which is called. One that occurs
// once is expanded in its place, as all are where the budget suffices.
// CHECK:      func.func private @math.exp.0([[X:%.+]]: f32) -> f32 {
// CHECK:        math.fma
// CHECK:        func.return
// CHECK:      func.func @f(%x: f32, %y: f32) -> (f32, f32, f32) {
// CHECK-NEXT:   %a = func.call @math.exp.0(%x) : (f32) -> f32
// CHECK-NEXT:   %b = func.call @math.exp.0(%y) : (f32) -> f32
// CHECK-NOT:    func.call
// INLINE-NOT: func.call
func.func @f(%x: f32, %y: f32) -> (f32, f32, f32) {
  %a = math.exp %x : f32
  %b = math.exp %y : f32
  %c = math.log %x : f32
  func.return %a, %b, %c : f32, f32, f32
}
