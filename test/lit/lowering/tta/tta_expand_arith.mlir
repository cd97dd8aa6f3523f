// RUN: ocl-opt %s -p tta-expand-arith | filecheck %s
// RUN: ocl-opt %s -p "tta-expand-arith{operations=mul,divf}" | filecheck %s --check-prefix=UNITS
// RUN: ocl-opt %s -p "tta-expand-arith{operations=mul,mulhiu}" | filecheck %s --check-prefix=UPPER
// RUN: ocl-opt %s -p tta-expand-arith,inline-functions | filecheck %s --check-prefix=INLINED

// What no unit does is a call of a function, which is written in C (lowering/tta/tta_expand_arith/tta_functions.cl).
// CHECK: func.func private @tta.mul_i32
// CHECK: func.func private @tta.div_f32
// UNITS-NOT: @tta.mul_i32
// INLINED-NOT: func.call

// CHECK: func.func @scalars
func.func @scalars(%a: i32, %b: i32, %c: i8, %x: f32, %y: f32) -> (i32, i8, f32) {
  // UNITS: arith.muli
  // CHECK: func.call @tta.mul_i32(%a, %b) : (i32, i32) -> i32
  %p = arith.muli %a, %b : i32
  // A product with a constant stays: it is a few shifts and sums.
  // CHECK: arith.muli %p
  %five = arith.constant 5 : i32
  %q = arith.muli %p, %five : i32
  // CHECK: arith.trunci %{{.*}} : i32 to i8
  %d = arith.divsi %c, %c : i8
  // UNITS: arith.divf
  // CHECK: func.call @tta.div_f32(%x, %y)
  %z = arith.divf %x, %y : f32
  // INLINED: scf.for
  func.return %q, %d, %z : i32, i8, f32
}

// A quotient is a product with a reciprocal, which is computed where the divisor is: outside of a loop here.
// CHECK: func.func @divisions
func.func @divisions(%a: i32, %d: i32, %n: index) -> i32 {
  // CHECK: %[[r:.*]] = func.call @tta.reciprocal_u32(%d) : (i32) -> f32
  // CHECK: scf.for
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (i32) {
    // CHECK: %[[float:.*]] = arith.uitofp %x : i32 to f32
    // CHECK: %[[scaled:.*]] = arith.mulf %[[float]], %[[r]]
    // CHECK: %[[quotient:.*]] = arith.fptoui %[[scaled]]
    // CHECK: func.call @tta.mul_i32(%[[quotient]], %d)
    %q = arith.divui %x, %d : i32
    // A constant has its own, or the upper half of a product where the processor has that, or it is a shift.
    // CHECK: arith.constant 0.0999999046 : f32
    // UPPER: arith.mului_extended
    // UPPER: arith.shrui
    %ten = arith.constant 10 : i32
    %s = arith.divui %q, %ten : i32
    // CHECK: %[[three:.*]] = arith.constant 3 : i32
    // CHECK: arith.shrui %{{.*}}, %[[three]] : i32
    %eight = arith.constant 8 : i32
    %t = arith.divui %s, %eight : i32
    // A remainder comes with the quotient.
    // CHECK-NEXT: arith.constant 7
    // CHECK-NEXT: %[[rest:.*]] = arith.andi
    // CHECK-NEXT: arith.addi %{{.*}}, %[[rest]]
    %rest = arith.remui %s, %eight : i32
    %both = arith.addi %t, %rest : i32
    scf.yield %both : i32
  }
  func.return %sum : i32
}

// Vectors go element by element.
// CHECK: func.func @vectors
func.func @vectors(%a: vector<2xi32>) -> vector<2xi32> {
  // CHECK: vector.extract %a[0]
  // CHECK: func.call @tta.mul_i32
  // CHECK: vector.extract %a[1]
  // CHECK: func.call @tta.mul_i32
  // CHECK: ocl.concat
  %r = arith.muli %a, %a : vector<2xi32>
  func.return %r : vector<2xi32>
}

// So do comparisons: their results are a vector of conditions.
// CHECK: func.func @compared
func.func @compared(%a: vector<3xf64>) -> vector<3xi1> {
  // CHECK-COUNT-3: func.call @tta.compare_f64
  // CHECK: ocl.concat %{{.*}} : i1, i1, i1 -> vector<3xi1>
  %c = vec.cmpf olt, %a, %a : vector<3xf64>
  func.return %c : vector<3xi1>
}

// Double precision is integers: no machine has units for it.
// CHECK: func.func @doubles
func.func @doubles(%x: f64, %y: f64, %i: i8, %h: f16) -> (f64, i1, f64, f64) {
  // CHECK: func.call @tta.add_f64(%x, %y) : (f64, f64) -> f64
  %s = arith.addf %x, %y : f64
  // Relations are the sum of 1 (equal), 2 (greater), 4 (less) and 8 (a NaN).
  // CHECK: %[[mask:.*]] = arith.constant 12 : i32
  // CHECK: %[[relation:.*]] = func.call @tta.compare_f64(%x, %y)
  // CHECK: arith.andi %[[relation]], %[[mask]]
  // CHECK: arith.cmpi ne
  %less = arith.cmpf ult, %x, %y : f64
  // CHECK: arith.extsi %i : i8 to i32
  // CHECK: func.call @tta.to_f64_s32
  %d = arith.sitofp %i : i8 to f64
  // CHECK: arith.bitcast %h : f16 to i16
  // CHECK: func.call @tta.to_f64_f16
  %e = arith.extf %h : f16 to f64
  // INLINED-NOT: func.call
  func.return %s, %less, %d, %e : f64, i1, f64, f64
}
