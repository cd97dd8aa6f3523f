// RUN: ocl-opt %s -p expand-math | filecheck %s

// Functions become arithmetic on the same vectors, without calls.
func.func @exp2(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.exp2 %x : vector<16xf32>
  func.return %y : vector<16xf32>
}
// CHECK-LABEL: func.func @exp2
// CHECK-NOT:     math.exp2
// CHECK:         vec.select
// CHECK:         arith.addf {{.*}} {ocl.no_contract} : vector<16xf32>
// CHECK:         math.fma
// CHECK:         arith.shli {{.*}} : vector<16xi32>
// CHECK:         arith.bitcast {{.*}} : vector<16xi32> to vector<16xf32>
// CHECK-NOT:     math.exp2
// CHECK:         %y = math.fma {{.*}} : vector<16xf32>

// half is computed as float.
func.func @half(%x: f16) -> f16 {
  %y = math.log %x : f16
  func.return %y : f16
}
// CHECK-LABEL: func.func @half
// CHECK-NEXT:    arith.extf %x : f16 to f32
// CHECK:         %y = arith.truncf {{.*}} : f32 to f16

// Builtins, too; native_exp is exp.
func.func @builtins(%x: f32, %n: i32) -> f32 {
  %a = ocl.builtin "pown"(%x, %n) : (f32, i32) -> f32
  %b = ocl.builtin "native_exp"(%a) : (f32) -> f32
  func.return %b : f32
}
// CHECK-LABEL: func.func @builtins
// CHECK-NOT:     ocl.builtin
// CHECK:         func.return

// sqrt and rsqrt are arithmetic already. What has no formula here stays.
func.func @stays(%x: f32) -> f32 {
  %a = math.rsqrt %x : f32
  %b = ocl.builtin "fmod"(%a, %x) : (f32, f32) -> f32
  func.return %b : f32
}
// CHECK-LABEL: func.func @stays
// CHECK-NEXT:    math.rsqrt
// CHECK-NEXT:    ocl.builtin "fmod"

// Powers with a small constant exponent are products, whole ones and halves.
func.func @powers(%x: f32, %v: vector<4xf64>) -> (f32, vector<4xf64>) {
  %three = arith.constant 3 : i32
  %a = ocl.builtin "pown"(%x, %three) : (f32, i32) -> f32
  %e = arith.constant dense<-1.5> : vector<4xf64>
  %b = math.powf %v, %e : vector<4xf64>
  func.return %a, %b : f32, vector<4xf64>
}
// CHECK-LABEL: func.func @powers
// CHECK:         [[SQUARE:%.*]] = arith.mulf %x, %x {ocl.no_contract} : f32
// CHECK-NEXT:    %a = arith.mulf %x, [[SQUARE]] {ocl.no_contract} : f32
// CHECK:         math.sqrt {{.*}} : vector<4xf64>
// CHECK-COUNT-2: arith.divf {{.*}} : vector<4xf64>
// CHECK:         arith.mulf {{.*}} : vector<4xf64>
// CHECK-NOT:     math.fma
// CHECK:         func.return
