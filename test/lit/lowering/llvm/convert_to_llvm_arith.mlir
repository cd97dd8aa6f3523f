// RUN: ocl-opt %s -p convert-to-llvm --split-input-file | filecheck %s

// Integers, floats, comparisons and conversions. Fused multiply-adds are allowed by default.

func.func @multiply_add(%a: f32, %b: f32, %c: f32) -> f32 {
  %p = arith.mulf %a, %b : f32
  %s = arith.addf %p, %c : f32
  %d = arith.subf %s, %a : f32
  %q = arith.divf %d, %b : f32
  %n = arith.negf %q : f32
  func.return %n : f32
}

// CHECK-LABEL: llvm.func @multiply_add(%a: f32, %b: f32, %c: f32) -> f32 {
// CHECK-NEXT:    %p = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
// CHECK-NEXT:    %s = llvm.fadd %p, %c {fastmathFlags = #llvm.fastmath<contract>} : f32
// CHECK-NEXT:    %d = llvm.fsub %s, %a : f32
// CHECK-NEXT:    %q = llvm.fdiv %d, %b : f32
// CHECK-NEXT:    %n = llvm.fneg %q : f32
// CHECK-NEXT:    llvm.return %n : f32
// CHECK-NEXT:  }

// -----

// index has 64 bits.
func.func @integers(%i: index, %v: vector<4xi32>) -> i64 {
  %c3 = arith.constant 3 : index
  %k = arith.constant dense<[1, 2, 3, -4]> : vector<4xi32>
  %s = arith.constant dense<7> : vector<4xi32>
  %a = arith.addi %v, %k : vector<4xi32>
  %b = arith.minsi %a, %s : vector<4xi32>
  %e = vector.extract %b[1] : i32 from vector<4xi32>
  %x = arith.index_cast %e : i32 to index
  %t = arith.muli %x, %c3 : index
  %u = arith.addi %t, %i : index
  %r = arith.index_cast %u : index to i64
  func.return %r : i64
}

// CHECK-LABEL: llvm.func @integers(%i: i64, %v: vector<4xi32>) -> i64 {
// CHECK-NEXT:    %c3 = llvm.mlir.constant(3) : i64
// CHECK-NEXT:    %k = llvm.mlir.constant(dense<[1, 2, 3, -4]> : vector<4xi32>) : vector<4xi32>
// CHECK-NEXT:    %s = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
// CHECK-NEXT:    %a = llvm.add %v, %k : vector<4xi32>
// CHECK-NEXT:    %b = llvm.call_intrinsic "llvm.smin.v4i32"(%a, %s) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
// CHECK-NEXT:    %0 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:    %e = llvm_ext.extractelement %b[%0 : i64] : vector<4xi32> -> i32
// CHECK-NEXT:    %x = llvm.sext %e : i32 to i64
// CHECK-NEXT:    %t = llvm.mul %x, %c3 : i64
// CHECK-NEXT:    %u = llvm.add %t, %i : i64
// CHECK-NEXT:    llvm.return %u : i64
// CHECK-NEXT:  }

// -----

// A division without a result has any, but it does not trap.
func.func @divisions(%a: i32, %b: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  %q = arith.divsi %a, %b : i32
  %r = arith.remui %q, %b : i32
  %s = arith.divui %r, %c7 : i32
  func.return %s : i32
}

// CHECK-LABEL: llvm.func @divisions(%a: i32, %b: i32) -> i32 {
// CHECK-NEXT:    %c7 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:    %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    %1 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:    %2 = llvm.icmp "eq" %b, %1 : i32
// CHECK-NEXT:    %3 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:    %4 = llvm.icmp "eq" %b, %3 : i32
// CHECK-NEXT:    %5 = llvm.mlir.constant(-2147483648 : i32) : i32
// CHECK-NEXT:    %6 = llvm.icmp "eq" %a, %5 : i32
// CHECK-NEXT:    %7 = llvm.and %6, %4 : i1
// CHECK-NEXT:    %8 = llvm.or %2, %7 : i1
// CHECK-NEXT:    %9 = llvm.select %8, %0, %b : i1, i32
// CHECK-NEXT:    %q = llvm.sdiv %a, %9 : i32
// CHECK-NEXT:    %10 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    %11 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:    %12 = llvm.icmp "eq" %b, %11 : i32
// CHECK-NEXT:    %13 = llvm.select %12, %10, %b : i1, i32
// CHECK-NEXT:    %r = llvm.urem %q, %13 : i32
// CHECK-NEXT:    %s = llvm.udiv %r, %c7 : i32
// CHECK-NEXT:    llvm.return %s : i32
// CHECK-NEXT:  }

// -----

// What a vector by one number, and a remainder, is divided by does not depend on the dividend: the
// reciprocal of an argument is computed once.
func.func @by_one_number(%a: vector<8xi32>, %x: i32, %n: i32) -> (vector<8xi32>, i32) {
  %b = vector.broadcast %n : i32 to vector<8xi32>
  %q = arith.divsi %a, %b : vector<8xi32>
  %r = arith.remsi %x, %n : i32
  func.return %q, %r : vector<8xi32>, i32
}
// CHECK-LABEL: llvm.func @by_one_number(
// CHECK:         [[ZERO:%.*]] = llvm.icmp "eq" %b, {{.*}} : vector<8xi32>
// CHECK:         [[NEGATES:%.*]] = llvm.icmp "eq" %b, {{.*}} : vector<8xi32>
// CHECK-NEXT:    [[UNSAFE:%.*]] = llvm.or [[ZERO]], [[NEGATES]]
// CHECK-NEXT:    [[BY:%.*]] = llvm_ext.select [[UNSAFE]], {{.*}}, %b
// CHECK:         llvm.sitofp [[BY]]
// CHECK:         [[QUOTIENT:%.*]] = llvm_ext.fptosi
// CHECK:         [[NEGATIVE:%.*]] = llvm.sub {{.*}}, %a
// CHECK-NEXT:    %q = llvm_ext.select [[NEGATES]], [[NEGATIVE]], [[QUOTIENT]]
// CHECK:         [[OR:%.*]] = llvm.or
// CHECK-NEXT:    [[N:%.*]] = llvm.select [[OR]], {{.*}}, %n
// CHECK-NEXT:    %r = llvm.srem %x, [[N]] : i32

// -----

// Comparisons and selects of scalars and of vectors; x86 has a branch for a choice of vectors by one
// truth value, so that each element gets one. A minimum takes -0 for less than +0.
func.func @comparisons(%a: f32, %v: vector<2xf32>, %w: vector<2xf32>) -> vector<2xf32> {
  %c = arith.cmpf olt, %a, %a : f32
  %x = arith.select %c, %v, %w : vector<2xf32>
  %m = vec.cmpf une, %x, %w : vector<2xf32>
  %y = vec.select %m, %x, %w : vector<2xi1>, vector<2xf32>
  %z = arith.minnumf %y, %w : vector<2xf32>
  func.return %z : vector<2xf32>
}

// CHECK-LABEL: llvm.func @comparisons(%a: f32, %v: vector<2xf32>, %w: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT:    %c = llvm.fcmp "olt" %a, %a : f32
// CHECK-NEXT:    %0 = llvm.sext %c : i1 to i32
// CHECK-NEXT:    %1 = llvm_ext.mlir.poison : vector<2xi32>
// CHECK-NEXT:    %2 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:    %3 = llvm.insertelement %0, %1[%2 : i64] : vector<2xi32>
// CHECK-NEXT:    %4 = llvm_ext.mlir.poison : vector<2xi32>
// CHECK-NEXT:    %5 = llvm.shufflevector %3, %4 [0, 0] : vector<2xi32>
// CHECK-NEXT:    %6 = llvm.mlir.constant(dense<0> : vector<2xi32>) : vector<2xi32>
// CHECK-NEXT:    %7 = llvm.icmp "slt" %5, %6 : vector<2xi32>
// CHECK-NEXT:    %x = llvm_ext.select %7, %v, %w : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:    %m = llvm_ext.fcmp "une" %x, %w : vector<2xf32> -> vector<2xi1>
// CHECK-NEXT:    %y = llvm_ext.select %m, %x, %w : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:    %z = llvm.call_intrinsic "llvm.minnum.v2f32"(%y, %w) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
// CHECK-NEXT:    llvm.return %z : vector<2xf32>
// CHECK-NEXT:  }

// -----

func.func @conversions(%f: f32, %i: i32) -> f32 {
  %a = arith.fptoui %f : f32 to i8
  %b = arith.uitofp %a : i8 to f64
  %c = arith.truncf %b : f64 to f32
  %d = arith.sitofp %i : i32 to f32
  %e = arith.addf %c, %d : f32
  func.return %e : f32
}

// CHECK-LABEL: llvm.func @conversions(%f: f32, %i: i32) -> f32 {
// CHECK-NEXT:    %a = llvm_ext.fptoui %f : f32 to i8
// CHECK-NEXT:    %b = llvm_ext.uitofp %a : i8 to f64
// CHECK-NEXT:    %c = llvm.fptrunc %b : f64 to f32
// CHECK-NEXT:    %d = llvm.sitofp %i : i32 to f32
// CHECK-NEXT:    %e = llvm.fadd %c, %d : f32
// CHECK-NEXT:    llvm.return %e : f32
// CHECK-NEXT:  }

// -----

// From f64 to f16 there is no instruction: an f32 rounded to odd stands between.
func.func @half(%x: f64) -> f16 {
  %h = arith.truncf %x : f64 to f16
  func.return %h : f16
}

// CHECK-LABEL: llvm.func @half(%x: f64) -> f16 {
// CHECK-NEXT:    %0 = llvm.fptrunc %x : f64 to f32
// CHECK-NEXT:    %1 = llvm.fpext %0 : f32 to f64
// CHECK-NEXT:    %2 = llvm.fcmp "one" %1, %x : f64
// CHECK-NEXT:    %3 = llvm.call_intrinsic "llvm.fabs.f64"(%1) : (f64) -> f64
// CHECK-NEXT:    %4 = llvm.call_intrinsic "llvm.fabs.f64"(%x) : (f64) -> f64
// CHECK-NEXT:    %5 = llvm.fcmp "ogt" %3, %4 : f64
// CHECK-NEXT:    %6 = llvm.bitcast %0 : f32 to i32
// CHECK-NEXT:    %7 = llvm.zext %5 : i1 to i32
// CHECK-NEXT:    %8 = llvm.sub %6, %7 : i32
// CHECK-NEXT:    %9 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    %10 = llvm.or %8, %9 : i32
// CHECK-NEXT:    %11 = llvm.select %2, %10, %6 : i1, i32
// CHECK-NEXT:    %12 = llvm.bitcast %11 : i32 to f32
// CHECK-NEXT:    %h = llvm.fptrunc %12 : f32 to f16
// CHECK-NEXT:    llvm.return %h : f16
// CHECK-NEXT:  }

// -----

// A choice by one truth value in vectors of several work-items is by the bits of a mask register.
func.func @uniform_choice(%c: i1, %v: vector<16xi32>, %w: vector<16xi32>) -> vector<16xi32> {
  %all = vector.broadcast %c : i1 to vector<16xi1>
  %x = vec.select %all, %v, %w : vector<16xi1>, vector<16xi32>
  func.return %x : vector<16xi32>
}

// CHECK-LABEL: llvm.func @uniform_choice(%c: i1, %v: vector<16xi32>, %w: vector<16xi32>) -> vector<16xi32> {
// CHECK:         %4 = llvm.sext %c : i1 to i16
// CHECK-NEXT:    %5 = llvm.bitcast %4 : i16 to vector<16xi1>
// CHECK-NEXT:    %x = llvm_ext.select %5, %v, %w : vector<16xi1>, vector<16xi32>
