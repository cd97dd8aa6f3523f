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
func.func @stays(%x: f64) -> f64 {
  %a = math.rsqrt %x : f64
  %b = ocl.builtin "lgamma"(%a) : (f64) -> f64
  func.return %b : f64
}
// CHECK-LABEL: func.func @stays
// CHECK-NEXT:    math.rsqrt
// CHECK-NEXT:    ocl.builtin "lgamma"

// fmod is a division and an exact product. Where the quotient of f32 is large, steps in f64 make it smaller.
func.func @fmod(%x: f32, %y: f32) -> f32 {
  %z = ocl.builtin "fmod"(%x, %y) : (f32, f32) -> f32
  func.return %z : f32
}
// CHECK-LABEL: func.func @fmod
// CHECK:         [[QUOTIENT:%.*]] = arith.divf [[A:%.*]], [[B:%.*]] {ocl.no_contract} : f32
// CHECK-NEXT:    [[WHOLE:%.*]] = math.trunc [[QUOTIENT]] : f32
// CHECK-NEXT:    [[MINUS:%.*]] = arith.negf [[WHOLE]] : f32
// CHECK-NEXT:    math.fma [[MINUS]], [[B]], [[A]] : f32
// CHECK:         scf.if
// CHECK:           arith.divf {{.*}} : f64
// CHECK:         math.copysign {{.*}}, %x : f32

// Those of f64 are rarely left to libm.
func.func @fmod_double(%x: f64, %y: f64) -> f64 {
  %z = ocl.builtin "fmod"(%x, %y) : (f64, f64) -> f64
  func.return %z : f64
}
// CHECK-LABEL: func.func @fmod_double
// CHECK:         math.fma
// CHECK:         scf.if
// CHECK-NEXT:      ocl.builtin "fmod"

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
