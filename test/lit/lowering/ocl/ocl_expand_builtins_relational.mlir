// RUN: ocl-opt %s -p ocl-expand-builtins | filecheck %s

// Relational functions.

// CHECK:      func.func @isfinite(%x: vector<2xf32>) -> vector<2xi1> {
// CHECK-NEXT:   %0 = math.absf %x : vector<2xf32>
// CHECK-NEXT:   %1 = arith.constant 0x7f800000 : f32
// CHECK-NEXT:   %2 = vector.broadcast %1 : f32 to vector<2xf32>
// CHECK-NEXT:   %r = vec.cmpf olt, %0, %2 : vector<2xf32>
// CHECK-NEXT:   func.return %r : vector<2xi1>
// CHECK-NEXT: }
func.func @isfinite(%x: vector<2xf32>) -> vector<2xi1> {
  %r = ocl.builtin "isfinite"(%x) : (vector<2xf32>) -> vector<2xi1>
  func.return %r : vector<2xi1>
}

// CHECK:      func.func @isnormal(%x: f32) -> i1 {
// CHECK-NEXT:   %0 = math.absf %x : f32
// CHECK-NEXT:   %1 = arith.constant 1.17549435e-38 : f32
// CHECK-NEXT:   %2 = arith.constant 0x7f800000 : f32
// CHECK-NEXT:   %3 = arith.cmpf olt, %0, %2 : f32
// CHECK-NEXT:   %4 = arith.cmpf oge, %0, %1 : f32
// CHECK-NEXT:   %r = arith.andi %4, %3 : i1
// CHECK-NEXT:   func.return %r : i1
// CHECK-NEXT: }
func.func @isnormal(%x: f32) -> i1 {
  %r = ocl.builtin "isnormal"(%x) : (f32) -> i1
  func.return %r : i1
}

// CHECK:      func.func @signbit(%x: f64) -> i1 {
// CHECK-NEXT:   %0 = arith.bitcast %x : f64 to i64
// CHECK-NEXT:   %1 = arith.constant 0 : i64
// CHECK-NEXT:   %r = arith.cmpi slt, %0, %1 : i64
// CHECK-NEXT:   func.return %r : i1
// CHECK-NEXT: }
func.func @signbit(%x: f64) -> i1 {
  %r = ocl.builtin "signbit"(%x) : (f64) -> i1
  func.return %r : i1
}

// Whether any element's uppermost bit is set.
// CHECK:      func.func @any(%x: vector<2xi32>) -> i1 {
// CHECK-NEXT:   %0 = arith.constant dense<0> : vector<2xi32>
// CHECK-NEXT:   %1 = vec.cmpi slt, %x, %0 : vector<2xi32>
// CHECK-NEXT:   %2 = vector.extract %1[0] : i1 from vector<2xi1>
// CHECK-NEXT:   %3 = vector.extract %1[1] : i1 from vector<2xi1>
// CHECK-NEXT:   %r = arith.ori %2, %3 : i1
// CHECK-NEXT:   func.return %r : i1
// CHECK-NEXT: }
func.func @any(%x: vector<2xi32>) -> i1 {
  %r = ocl.builtin "any"(%x) : (vector<2xi32>) -> i1
  func.return %r : i1
}

// CHECK:      func.func @bitselect(%a: f32, %b: f32, %m: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.bitcast %a : f32 to i32
// CHECK-NEXT:   %1 = arith.bitcast %b : f32 to i32
// CHECK-NEXT:   %2 = arith.bitcast %m : f32 to i32
// CHECK-NEXT:   %3 = arith.constant -1 : i32
// CHECK-NEXT:   %4 = arith.xori %2, %3 : i32
// CHECK-NEXT:   %5 = arith.andi %0, %4 : i32
// CHECK-NEXT:   %6 = arith.andi %1, %2 : i32
// CHECK-NEXT:   %7 = arith.ori %5, %6 : i32
// CHECK-NEXT:   %r = arith.bitcast %7 : i32 to f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @bitselect(%a: f32, %b: f32, %m: f32) -> f32 {
  %r = ocl.builtin "bitselect"(%a, %b, %m) : (f32, f32, f32) -> f32
  func.return %r : f32
}
