// RUN: ocl-opt %s -p ocl-expand-builtins | filecheck %s

// Math functions: formulas, bit manipulation, and what stays for libm.

// CHECK:      func.func @mad(%a: f32, %b: f32, %c: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.mulf %a, %b : f32
// CHECK-NEXT:   %r = arith.addf %0, %c : f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @mad(%a: f32, %b: f32, %c: f32) -> f32 {
  %r = ocl.builtin "mad"(%a, %b, %c) : (f32, f32, f32) -> f32
  func.return %r : f32
}

// Two results: fraction and floor.
// CHECK:      func.func @fract(%x: f32) -> (f32, f32) {
// CHECK-NEXT:   %i = math.floor %x : f32
// CHECK-NEXT:   %0 = arith.constant 0.99999994 : f32
// CHECK-NEXT:   %1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %2 = arith.subf %x, %i : f32
// CHECK-NEXT:   %3 = arith.minnumf %2, %0 : f32
// CHECK-NEXT:   %4 = math.absf %x : f32
// CHECK-NEXT:   %5 = arith.constant 0x7f800000 : f32
// CHECK-NEXT:   %6 = arith.cmpf oeq, %4, %5 : f32
// CHECK-NEXT:   %7 = math.copysign %1, %x : f32
// CHECK-NEXT:   %8 = arith.select %6, %7, %3 : f32
// CHECK-NEXT:   %9 = arith.cmpf ueq, %x, %1 : f32
// CHECK-NEXT:   %f = arith.select %9, %x, %8 : f32
// CHECK-NEXT:   func.return %f, %i : f32, f32
// CHECK-NEXT: }
func.func @fract(%x: f32) -> (f32, f32) {
  %f, %i = ocl.builtin "fract"(%x) : (f32) -> (f32, f32)
  func.return %f, %i : f32, f32
}

// CHECK:      func.func @sincos(%x: f32) -> (f32, f32) {
// CHECK-NEXT:   %s = math.sin %x : f32
// CHECK-NEXT:   %c = math.cos %x : f32
// CHECK-NEXT:   func.return %s, %c : f32, f32
// CHECK-NEXT: }
func.func @sincos(%x: f32) -> (f32, f32) {
  %s, %c = ocl.builtin "sincos"(%x) : (f32) -> (f32, f32)
  func.return %s, %c : f32, f32
}

// The plain functions; a quotient may be a product with an estimate of the reciprocal.
// CHECK:      func.func @native(%x: f32, %y: f32) -> (f32, f32, f32) {
// CHECK-NEXT:   %s = math.sin %x : f32
// CHECK-NEXT:   %d = arith.divf %x, %y fastmath<arcp,afn> : f32
// CHECK-NEXT:   %e = ocl.builtin "exp10"(%x) : (f32) -> f32
// CHECK-NEXT:   func.return %s, %d, %e : f32, f32, f32
// CHECK-NEXT: }
func.func @native(%x: f32, %y: f32) -> (f32, f32, f32) {
  %s = ocl.builtin "native_sin"(%x) : (f32) -> f32
  %d = ocl.builtin "half_divide"(%x, %y) : (f32, f32) -> f32
  %e = ocl.builtin "native_exp10"(%x) : (f32) -> f32
  func.return %s, %d, %e : f32, f32, f32
}

// Every n is exact in f64.
// CHECK:      func.func @pown(%x: f32, %n: i32) -> f32 {
// CHECK-NEXT:   %0 = arith.extf %x : f32 to f64
// CHECK-NEXT:   %1 = arith.sitofp %n : i32 to f64
// CHECK-NEXT:   %2 = math.powf %0, %1 : f64
// CHECK-NEXT:   %r = arith.truncf %2 : f64 to f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @pown(%x: f32, %n: i32) -> f32 {
  %r = ocl.builtin "pown"(%x, %n) : (f32, i32) -> f32
  func.return %r : f32
}

// Scaled by three factors: two of 2^127 or 2^-102, where n is out of the range of an exponent, and
// what is left, which rounds once.
// CHECK:      func.func @ldexp(%x: f32, %n: i32) -> f32 {
// CHECK-NEXT:   %[[MOST:.*]] = arith.constant 127 : i32
// CHECK-NEXT:   %[[ABOVE:.*]] = arith.cmpi sgt, %n, %[[MOST]] : i32
// CHECK-NEXT:   %[[LEAST:.*]] = arith.constant -126 : i32
// CHECK-NEXT:   %[[BELOW:.*]] = arith.cmpi slt, %n, %[[LEAST]] : i32
// CHECK:        %[[X:.*]] = arith.mulf %x, %{{.*}} : f32
// CHECK-NEXT:   %[[N:.*]] = arith.subi %n, %{{.*}} : i32
// CHECK:        %[[Y:.*]] = arith.mulf %[[X]], %{{.*}} : f32
// CHECK-NEXT:   %[[M:.*]] = arith.subi %[[N]], %{{.*}} : i32
// CHECK:        %[[POWER:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT:   %r = arith.mulf %[[Y]], %[[POWER]] : f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @ldexp(%x: f32, %n: i32) -> f32 {
  %r = ocl.builtin "ldexp"(%x, %n) : (f32, i32) -> f32
  func.return %r : f32
}

// Neighbouring floats have neighbouring bits.
// CHECK:      func.func @nextafter(%x: f32, %y: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.bitcast %x : f32 to i32
// CHECK-NEXT:   %1 = arith.constant 1 : i32
// CHECK-NEXT:   %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %3 = arith.cmpf olt, %x, %y : f32
// CHECK-NEXT:   %4 = arith.constant 0 : i32
// CHECK-NEXT:   %5 = arith.cmpi slt, %0, %4 : i32
// CHECK-NEXT:   %6 = arith.xori %3, %5 : i1
// CHECK-NEXT:   %7 = arith.addi %0, %1 : i32
// CHECK-NEXT:   %8 = arith.subi %0, %1 : i32
// CHECK-NEXT:   %9 = arith.select %6, %7, %8 : i32
// CHECK-NEXT:   %10 = arith.bitcast %y : f32 to i32
// CHECK-NEXT:   %11 = arith.constant -2147483648 : i32
// CHECK-NEXT:   %12 = arith.andi %10, %11 : i32
// CHECK-NEXT:   %13 = arith.ori %12, %1 : i32
// CHECK-NEXT:   %14 = arith.cmpf oeq, %x, %2 : f32
// CHECK-NEXT:   %15 = arith.select %14, %13, %9 : i32
// CHECK-NEXT:   %16 = arith.cmpf oeq, %x, %y : f32
// CHECK-NEXT:   %17 = arith.bitcast %15 : i32 to f32
// CHECK-NEXT:   %18 = arith.select %16, %y, %17 : f32
// CHECK-NEXT:   %19 = arith.cmpf uno, %x, %y : f32
// CHECK-NEXT:   %20 = arith.addf %x, %y : f32
// CHECK-NEXT:   %r = arith.select %19, %20, %18 : f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @nextafter(%x: f32, %y: f32) -> f32 {
  %r = ocl.builtin "nextafter"(%x, %y) : (f32, f32) -> f32
  func.return %r : f32
}

// CHECK:      func.func @nan(%n: i32) -> f32 {
// CHECK-NEXT:   %0 = arith.constant 4194303 : i32
// CHECK-NEXT:   %1 = arith.andi %n, %0 : i32
// CHECK-NEXT:   %2 = arith.constant 2143289344 : i32
// CHECK-NEXT:   %3 = arith.ori %1, %2 : i32
// CHECK-NEXT:   %r = arith.bitcast %3 : i32 to f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @nan(%n: i32) -> f32 {
  %r = ocl.builtin "nan"(%n) : (i32) -> f32
  func.return %r : f32
}

// libm has it; an f16 is computed as f32.
// CHECK:      func.func @stays(%x: f32, %y: f16) -> (f32, f16) {
// CHECK-NEXT:   %r = ocl.builtin "tgamma"(%x) : (f32) -> f32
// CHECK-NEXT:   %0 = arith.extf %y : f16 to f32
// CHECK-NEXT:   %1 = ocl.builtin "tgamma"(%0) : (f32) -> f32
// CHECK-NEXT:   %s = arith.truncf %1 : f32 to f16
// CHECK-NEXT:   func.return %r, %s : f32, f16
// CHECK-NEXT: }
func.func @stays(%x: f32, %y: f16) -> (f32, f16) {
  %r = ocl.builtin "tgamma"(%x) : (f32) -> f32
  %s = ocl.builtin "tgamma"(%y) : (f16) -> f16
  func.return %r, %s : f32, f16
}
