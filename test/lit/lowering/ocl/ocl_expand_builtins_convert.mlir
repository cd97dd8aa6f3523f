// RUN: ocl-opt %s -p ocl-expand-builtins | filecheck %s

// Conversions with saturation and rounding modes.

// Nothing explicit: arith's conversion.
// CHECK:      func.func @plain(%x: i32) -> f32 {
// CHECK-NEXT:   %r = arith.uitofp %x : i32 to f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @plain(%x: i32) -> f32 {
  %r = ocl.convert %x : unsigned i32 to f32
  func.return %r : f32
}

// Between integers: clamp in the source type.
// CHECK:      func.func @int_sat(%x: i32) -> i8 {
// CHECK-NEXT:   %0 = arith.constant 0 : i32
// CHECK-NEXT:   %1 = arith.maxsi %x, %0 : i32
// CHECK-NEXT:   %2 = arith.constant 255 : i32
// CHECK-NEXT:   %3 = arith.minsi %1, %2 : i32
// CHECK-NEXT:   %r = arith.trunci %3 : i32 to i8
// CHECK-NEXT:   func.return %r : i8
// CHECK-NEXT: }
func.func @int_sat(%x: i32) -> i8 {
  %r = ocl.convert %x sat : i32 to unsigned i8
  func.return %r : i8
}

// Round, convert what is in range, put the limits for the rest and 0 for NaN.
// CHECK:      func.func @float_sat(%x: f32) -> i8 {
// CHECK-NEXT:   %0 = math.roundeven %x : f32
// CHECK-NEXT:   %1 = arith.constant 2.560000e+02 : f32
// CHECK-NEXT:   %2 = arith.cmpf oge, %0, %1 : f32
// CHECK-NEXT:   %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %4 = arith.cmpf olt, %0, %3 : f32
// CHECK-NEXT:   %5 = arith.ori %2, %4 : i1
// CHECK-NEXT:   %6 = arith.cmpf uno, %0, %0 : f32
// CHECK-NEXT:   %7 = arith.ori %5, %6 : i1
// CHECK-NEXT:   %8 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %9 = arith.select %7, %8, %0 : f32
// CHECK-NEXT:   %10 = arith.fptoui %9 : f32 to i8
// CHECK-NEXT:   %11 = arith.constant -1 : i8
// CHECK-NEXT:   %12 = arith.select %2, %11, %10 : i8
// CHECK-NEXT:   %13 = arith.constant 0 : i8
// CHECK-NEXT:   %r = arith.select %4, %13, %12 : i8
// CHECK-NEXT:   func.return %r : i8
// CHECK-NEXT: }
func.func @float_sat(%x: f32) -> i8 {
  %r = ocl.convert %x rounding rte sat : f32 to unsigned i8
  func.return %r : i8
}

// CHECK:      func.func @float_to_int(%x: vector<2xf64>) -> vector<2xi32> {
// CHECK-NEXT:   %0 = math.ceil %x : vector<2xf64>
// CHECK-NEXT:   %r = vec.fptosi %0 : vector<2xf64> to vector<2xi32>
// CHECK-NEXT:   func.return %r : vector<2xi32>
// CHECK-NEXT: }
func.func @float_to_int(%x: vector<2xf64>) -> vector<2xi32> {
  %r = ocl.convert %x rounding rtp : vector<2xf64> to vector<2xi32>
  func.return %r : vector<2xi32>
}

// Cut to 24 bits, which convert exactly; then one step up where bits were lost.
// CHECK:      func.func @int_to_float(%x: i32) -> f32 {
// CHECK-NEXT:   %0 = arith.constant 0 : i32
// CHECK-NEXT:   %1 = arith.constant 8 : i32
// CHECK-NEXT:   %2 = math.ctlz %x : i32
// CHECK-NEXT:   %3 = arith.subi %1, %2 : i32
// CHECK-NEXT:   %4 = arith.maxsi %3, %0 : i32
// CHECK-NEXT:   %5 = arith.constant -1 : i32
// CHECK-NEXT:   %6 = arith.shli %5, %4 : i32
// CHECK-NEXT:   %7 = arith.constant -1 : i32
// CHECK-NEXT:   %8 = arith.xori %6, %7 : i32
// CHECK-NEXT:   %9 = arith.andi %x, %8 : i32
// CHECK-NEXT:   %10 = arith.xori %x, %9 : i32
// CHECK-NEXT:   %11 = arith.uitofp %10 : i32 to f32
// CHECK-NEXT:   %12 = arith.cmpi ne, %9, %0 : i32
// CHECK-NEXT:   %13 = arith.bitcast %11 : f32 to i32
// CHECK-NEXT:   %14 = arith.constant 1 : i32
// CHECK-NEXT:   %15 = arith.addi %13, %14 : i32
// CHECK-NEXT:   %16 = arith.select %12, %15, %13 : i32
// CHECK-NEXT:   %r = arith.bitcast %16 : i32 to f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @int_to_float(%x: i32) -> f32 {
  %r = ocl.convert %x rounding rtp : unsigned i32 to f32
  func.return %r : f32
}

// 16 bits are exact in an f32.
// CHECK:      func.func @exact(%x: i16) -> f32 {
// CHECK-NEXT:   %r = arith.sitofp %x : i16 to f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @exact(%x: i16) -> f32 {
  %r = ocl.convert %x rounding rtz : i16 to f32
  func.return %r : f32
}

// To nearest even, then one step back where that is farther from zero.
// CHECK:      func.func @narrow(%x: f64) -> f32 {
// CHECK-NEXT:   %0 = arith.truncf %x : f64 to f32
// CHECK-NEXT:   %1 = arith.extf %0 : f32 to f64
// CHECK-NEXT:   %2 = math.absf %1 : f64
// CHECK-NEXT:   %3 = math.absf %x : f64
// CHECK-NEXT:   %4 = arith.cmpf ogt, %2, %3 : f64
// CHECK-NEXT:   %5 = arith.bitcast %0 : f32 to i32
// CHECK-NEXT:   %6 = arith.constant 1 : i32
// CHECK-NEXT:   %7 = arith.subi %5, %6 : i32
// CHECK-NEXT:   %8 = arith.select %4, %7, %5 : i32
// CHECK-NEXT:   %r = arith.bitcast %8 : i32 to f32
// CHECK-NEXT:   func.return %r : f32
// CHECK-NEXT: }
func.func @narrow(%x: f64) -> f32 {
  %r = ocl.convert %x rounding rtz : f64 to f32
  func.return %r : f32
}
