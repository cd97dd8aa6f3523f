// RUN: ocl-opt %s -p ocl-expand-builtins | filecheck %s

// Common and geometric functions.

// CHECK:      func.func @clamp(%x: f32, %lo: f32, %hi: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.maxnumf %x, %lo : f32
// CHECK-NEXT:   %r = arith.minnumf %0, %hi : f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @clamp(%x: f32, %lo: f32, %hi: f32) -> f32 {
  %r = ocl.builtin "clamp"(%x, %lo, %hi) : (f32, f32, f32) -> f32
  func.return %r : f32
}

// x + (y - x) * a
// CHECK:      func.func @mix(%x: f32, %y: f32, %a: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.subf %y, %x : f32
// CHECK-NEXT:   %1 = arith.mulf %0, %a : f32
// CHECK-NEXT:   %r = arith.addf %x, %1 : f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @mix(%x: f32, %y: f32, %a: f32) -> f32 {
  %r = ocl.builtin "mix"(%x, %y, %a) : (f32, f32, f32) -> f32
  func.return %r : f32
}

// The constant is that of the type.
// CHECK:      func.func @degrees(%x: f32, %y: f64) -> (f32, f64) {
// CHECK-NEXT:   %0 = arith.constant 57.2957802 : f32
// CHECK-NEXT:   %r = arith.mulf %x, %0 : f32
// CHECK-NEXT:   %1 = arith.constant 57.295779513082323 : f64
// CHECK-NEXT:   %s = arith.mulf %y, %1 : f64
// CHECK-NEXT:   func.return %r, %s : f32, f64
// CHECK-NEXT: }
func.func @degrees(%x: f32, %y: f64) -> (f32, f64) {
  %r = ocl.builtin "degrees"(%x) : (f32) -> f32
  %s = ocl.builtin "degrees"(%y) : (f64) -> f64
  func.return %r, %s : f32, f64
}

// CHECK:      func.func @step(%edge: vector<2xf32>, %x: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT:   %0 = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK-NEXT:   %1 = arith.constant dense<1.000000e+00> : vector<2xf32>
// CHECK-NEXT:   %2 = vec.cmpf olt, %x, %edge : vector<2xf32>
// CHECK-NEXT:   %r = vec.select %2, %0, %1 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:   func.return %r : vector<2xf32>
// CHECK-NEXT: }
func.func @step(%edge: vector<2xf32>, %x: vector<2xf32>) -> vector<2xf32> {
  %r = ocl.builtin "step"(%edge, %x) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  func.return %r : vector<2xf32>
}

// CHECK:      func.func @smoothstep(%a: f32, %b: f32, %x: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %1 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:   %2 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:   %3 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:   %4 = arith.subf %x, %a : f32
// CHECK-NEXT:   %5 = arith.subf %b, %a : f32
// CHECK-NEXT:   %6 = arith.divf %4, %5 : f32
// CHECK-NEXT:   %7 = arith.maxnumf %6, %0 : f32
// CHECK-NEXT:   %8 = arith.minnumf %7, %1 : f32
// CHECK-NEXT:   %9 = arith.mulf %8, %8 : f32
// CHECK-NEXT:   %10 = arith.mulf %2, %8 : f32
// CHECK-NEXT:   %11 = arith.subf %3, %10 : f32
// CHECK-NEXT:   %r = arith.mulf %9, %11 : f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @smoothstep(%a: f32, %b: f32, %x: f32) -> f32 {
  %r = ocl.builtin "smoothstep"(%a, %b, %x) : (f32, f32, f32) -> f32
  func.return %r : f32
}

// Zeros keep their sign, NaN gives 0.
// CHECK:      func.func @sign(%x: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %1 = arith.cmpf uno, %x, %x : f32
// CHECK-NEXT:   %2 = arith.select %1, %0, %x : f32
// CHECK-NEXT:   %3 = arith.cmpf olt, %x, %0 : f32
// CHECK-NEXT:   %4 = arith.constant -1.000000e+00 : f32
// CHECK-NEXT:   %5 = arith.select %3, %4, %2 : f32
// CHECK-NEXT:   %6 = arith.cmpf ogt, %x, %0 : f32
// CHECK-NEXT:   %7 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:   %r = arith.select %6, %7, %5 : f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @sign(%x: f32) -> f32 {
  %r = ocl.builtin "sign"(%x) : (f32) -> f32
  func.return %r : f32
}

// Sums run from the first element to the last.
// CHECK:      func.func @dot(%x: vector<3xf32>, %y: vector<3xf32>) -> f32 {
// CHECK-NEXT:   %0 = arith.mulf %x, %y : vector<3xf32>
// CHECK-NEXT:   %1 = vector.extract %0[0] : f32 from vector<3xf32>
// CHECK-NEXT:   %2 = vector.extract %0[1] : f32 from vector<3xf32>
// CHECK-NEXT:   %3 = vector.extract %0[2] : f32 from vector<3xf32>
// CHECK-NEXT:   %4 = arith.addf %1, %2 : f32
// CHECK-NEXT:   %r = arith.addf %4, %3 : f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @dot(%x: vector<3xf32>, %y: vector<3xf32>) -> f32 {
  %r = ocl.builtin "dot"(%x, %y) : (vector<3xf32>, vector<3xf32>) -> f32
  func.return %r : f32
}

// A vector of length 0 stays as it is.
// CHECK:      func.func @fast_normalize(%x: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT:   %0 = arith.mulf %x, %x : vector<2xf32>
// CHECK-NEXT:   %1 = vector.extract %0[0] : f32 from vector<2xf32>
// CHECK-NEXT:   %2 = vector.extract %0[1] : f32 from vector<2xf32>
// CHECK-NEXT:   %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:   %4 = math.sqrt %3 : f32
// CHECK-NEXT:   %5 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %6 = arith.cmpf oeq, %4, %5 : f32
// CHECK-NEXT:   %7 = vector.broadcast %4 : f32 to vector<2xf32>
// CHECK-NEXT:   %8 = arith.divf %x, %7 : vector<2xf32>
// CHECK-NEXT:   %r = arith.select %6, %x, %8 : vector<2xf32>
// CHECK-NEXT:   func.return %r : vector<2xf32>
// CHECK-NEXT: }
func.func @fast_normalize(%x: vector<2xf32>) -> vector<2xf32> {
  %r = ocl.builtin "fast_normalize"(%x) : (vector<2xf32>) -> vector<2xf32>
  func.return %r : vector<2xf32>
}

// Only a square that overflows or underflows, which NaN and 0 are taken for, is computed again, of
// numbers that are multiplied by a power of 2.
// CHECK:      func.func @length(%x: vector<2xf32>) -> f32 {
// CHECK-NEXT:   %0 = arith.mulf %x, %x : vector<2xf32>
// CHECK-NEXT:   %1 = vector.extract %0[0] : f32 from vector<2xf32>
// CHECK-NEXT:   %2 = vector.extract %0[1] : f32 from vector<2xf32>
// CHECK-NEXT:   %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:   %4 = math.sqrt %3 : f32
// CHECK-NEXT:   %5 = arith.constant 7.88860905e-31 : f32
// CHECK-NEXT:   %6 = arith.cmpf ult, %3, %5 : f32
// CHECK-NEXT:   %7 = arith.constant 1.70141183e+38 : f32
// CHECK-NEXT:   %8 = arith.cmpf ugt, %3, %7 : f32
// CHECK-NEXT:   %9 = arith.ori %6, %8 : i1
// CHECK-NEXT:   %r = scf.if %9 -> (f32) {
// CHECK:          %27 = arith.mulf %26, %26 : vector<2xf32>
// CHECK:          %33 = arith.divf %31, %32 : f32
// CHECK-NEXT:     scf.yield %33 : f32
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @length(%x: vector<2xf32>) -> f32 {
  %r = ocl.builtin "length"(%x) : (vector<2xf32>) -> f32
  func.return %r : f32
}

// A float is multiplied by one reciprocal; doubles are divided one by one.
// CHECK:      func.func @normalize(%x: vector<2xf32>, %y: vector<2xf64>)
// CHECK:        [[ROOT:%.*]] = math.sqrt {{%.*}} : f32
// CHECK:        [[INVERSE:%.*]] = arith.divf {{%.*}}, [[ROOT]] : f32
// CHECK:        arith.mulf %x, {{%.*}} : vector<2xf32>
// CHECK:        scf.if {{%.*}} -> (vector<2xf32>) {
// CHECK:        math.sqrt {{%.*}} : f64
// CHECK:        arith.divf %y, {{%.*}} : vector<2xf64>
// CHECK:        scf.if {{%.*}} -> (vector<2xf64>) {
func.func @normalize(%x: vector<2xf32>, %y: vector<2xf64>) -> (vector<2xf32>, vector<2xf64>) {
  %r = ocl.builtin "normalize"(%x) : (vector<2xf32>) -> vector<2xf32>
  %s = ocl.builtin "normalize"(%y) : (vector<2xf64>) -> vector<2xf64>
  func.return %r, %s : vector<2xf32>, vector<2xf64>
}

// The fourth element is 0.
// CHECK:      func.func @cross(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:   %0 = vector.extract %x[0] : f32 from vector<4xf32>
// CHECK-NEXT:   %1 = vector.extract %x[1] : f32 from vector<4xf32>
// CHECK-NEXT:   %2 = vector.extract %x[2] : f32 from vector<4xf32>
// CHECK-NEXT:   %3 = vector.extract %y[0] : f32 from vector<4xf32>
// CHECK-NEXT:   %4 = vector.extract %y[1] : f32 from vector<4xf32>
// CHECK-NEXT:   %5 = vector.extract %y[2] : f32 from vector<4xf32>
// CHECK-NEXT:   %6 = arith.mulf %1, %5 : f32
// CHECK-NEXT:   %7 = arith.mulf %2, %4 : f32
// CHECK-NEXT:   %8 = arith.subf %6, %7 : f32
// CHECK-NEXT:   %9 = arith.mulf %2, %3 : f32
// CHECK-NEXT:   %10 = arith.mulf %0, %5 : f32
// CHECK-NEXT:   %11 = arith.subf %9, %10 : f32
// CHECK-NEXT:   %12 = arith.mulf %0, %4 : f32
// CHECK-NEXT:   %13 = arith.mulf %1, %3 : f32
// CHECK-NEXT:   %14 = arith.subf %12, %13 : f32
// CHECK-NEXT:   %15 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %16 = ub.poison : vector<4xf32>
// CHECK-NEXT:   %17 = vector.insert %8, %16 [0] : f32 into vector<4xf32>
// CHECK-NEXT:   %18 = vector.insert %11, %17 [1] : f32 into vector<4xf32>
// CHECK-NEXT:   %19 = vector.insert %14, %18 [2] : f32 into vector<4xf32>
// CHECK-NEXT:   %r = vector.insert %15, %19 [3] : f32 into vector<4xf32>
// CHECK-NEXT:   func.return %r : vector<4xf32>
// CHECK-NEXT: }
func.func @cross(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %r = ocl.builtin "cross"(%x, %y) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  func.return %r : vector<4xf32>
}
