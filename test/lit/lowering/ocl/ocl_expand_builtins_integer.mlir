// RUN: ocl-opt %s -p ocl-expand-builtins | filecheck %s

// Integer functions.

// min(max(x, lo), hi)
// CHECK:      func.func @s_clamp(%x: i32, %lo: i32, %hi: i32) -> i32 {
// CHECK-NEXT:   %0 = arith.maxsi %x, %lo : i32
// CHECK-NEXT:   %r = arith.minsi %0, %hi : i32
// CHECK-NEXT:   func.return %r : i32
// CHECK-NEXT: }
func.func @s_clamp(%x: i32, %lo: i32, %hi: i32) -> i32 {
  %r = ocl.builtin "s_clamp"(%x, %lo, %hi) : (i32, i32, i32) -> i32
  func.return %r : i32
}

// The sum overflows where its sign differs from that of both operands.
// CHECK:      func.func @s_add_sat(%x: i8, %y: i8) -> i8 {
// CHECK-NEXT:   %0 = arith.addi %x, %y : i8
// CHECK-NEXT:   %1 = arith.xori %x, %0 : i8
// CHECK-NEXT:   %2 = arith.xori %y, %0 : i8
// CHECK-NEXT:   %3 = arith.andi %1, %2 : i8
// CHECK-NEXT:   %4 = arith.constant 0 : i8
// CHECK-NEXT:   %5 = arith.cmpi slt, %3, %4 : i8
// CHECK-NEXT:   %6 = arith.constant 7 : i8
// CHECK-NEXT:   %7 = arith.shrsi %x, %6 : i8
// CHECK-NEXT:   %8 = arith.constant 127 : i8
// CHECK-NEXT:   %9 = arith.xori %7, %8 : i8
// CHECK-NEXT:   %r = arith.select %5, %9, %0 : i8
// CHECK-NEXT:   func.return %r : i8
// CHECK-NEXT: }
func.func @s_add_sat(%x: i8, %y: i8) -> i8 {
  %r = ocl.builtin "s_add_sat"(%x, %y) : (i8, i8) -> i8
  func.return %r : i8
}

// Vectors: the same, element by element.
// CHECK:      func.func @u_add_sat(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
// CHECK-NEXT:   %0 = arith.addi %x, %y : vector<4xi32>
// CHECK-NEXT:   %1 = vec.cmpi ult, %0, %x : vector<4xi32>
// CHECK-NEXT:   %2 = arith.constant dense<-1> : vector<4xi32>
// CHECK-NEXT:   %r = vec.select %1, %2, %0 : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:   func.return %r : vector<4xi32>
// CHECK-NEXT: }
func.func @u_add_sat(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %r = ocl.builtin "u_add_sat"(%x, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  func.return %r : vector<4xi32>
}

// CHECK:      func.func @u_abs_diff(%x: i32, %y: i32) -> i32 {
// CHECK-NEXT:   %0 = arith.cmpi ugt, %x, %y : i32
// CHECK-NEXT:   %1 = arith.subi %x, %y : i32
// CHECK-NEXT:   %2 = arith.subi %y, %x : i32
// CHECK-NEXT:   %r = arith.select %0, %1, %2 : i32
// CHECK-NEXT:   func.return %r : i32
// CHECK-NEXT: }
func.func @u_abs_diff(%x: i32, %y: i32) -> i32 {
  %r = ocl.builtin "u_abs_diff"(%x, %y) : (i32, i32) -> i32
  func.return %r : i32
}

// (x & y) + ((x ^ y) >> 1)
// CHECK:      func.func @s_hadd(%x: i32, %y: i32) -> i32 {
// CHECK-NEXT:   %0 = arith.andi %x, %y : i32
// CHECK-NEXT:   %1 = arith.xori %x, %y : i32
// CHECK-NEXT:   %2 = arith.constant 1 : i32
// CHECK-NEXT:   %3 = arith.shrsi %1, %2 : i32
// CHECK-NEXT:   %r = arith.addi %0, %3 : i32
// CHECK-NEXT:   func.return %r : i32
// CHECK-NEXT: }
func.func @s_hadd(%x: i32, %y: i32) -> i32 {
  %r = ocl.builtin "s_hadd"(%x, %y) : (i32, i32) -> i32
  func.return %r : i32
}

// Through the product of twice the width.
// CHECK:      func.func @u_mul_hi(%x: i32, %y: i32) -> i32 {
// CHECK-NEXT:   %0 = arith.extui %x : i32 to i64
// CHECK-NEXT:   %1 = arith.extui %y : i32 to i64
// CHECK-NEXT:   %2 = arith.muli %0, %1 : i64
// CHECK-NEXT:   %3 = arith.constant 32 : i64
// CHECK-NEXT:   %4 = arith.shrui %2, %3 : i64
// CHECK-NEXT:   %r = arith.trunci %4 : i64 to i32
// CHECK-NEXT:   func.return %r : i32
// CHECK-NEXT: }
func.func @u_mul_hi(%x: i32, %y: i32) -> i32 {
  %r = ocl.builtin "u_mul_hi"(%x, %y) : (i32, i32) -> i32
  func.return %r : i32
}

// Through the products of halves.
// CHECK:      func.func @s_mul_hi(%x: i64, %y: i64) -> i64 {
// CHECK-NEXT:   %0 = arith.constant 4294967295 : i64
// CHECK-NEXT:   %1 = arith.andi %x, %0 : i64
// CHECK-NEXT:   %2 = arith.andi %y, %0 : i64
// CHECK-NEXT:   %3 = arith.constant 32 : i64
// CHECK-NEXT:   %4 = arith.shrsi %x, %3 : i64
// CHECK-NEXT:   %5 = arith.constant 32 : i64
// CHECK-NEXT:   %6 = arith.shrsi %y, %5 : i64
// CHECK-NEXT:   %7 = arith.muli %1, %2 : i64
// CHECK-NEXT:   %8 = arith.constant 32 : i64
// CHECK-NEXT:   %9 = arith.shrui %7, %8 : i64
// CHECK-NEXT:   %10 = arith.muli %4, %2 : i64
// CHECK-NEXT:   %11 = arith.addi %10, %9 : i64
// CHECK-NEXT:   %12 = arith.muli %1, %6 : i64
// CHECK-NEXT:   %13 = arith.andi %11, %0 : i64
// CHECK-NEXT:   %14 = arith.addi %12, %13 : i64
// CHECK-NEXT:   %15 = arith.constant 32 : i64
// CHECK-NEXT:   %16 = arith.shrsi %11, %15 : i64
// CHECK-NEXT:   %17 = arith.constant 32 : i64
// CHECK-NEXT:   %18 = arith.shrsi %14, %17 : i64
// CHECK-NEXT:   %19 = arith.addi %16, %18 : i64
// CHECK-NEXT:   %20 = arith.muli %4, %6 : i64
// CHECK-NEXT:   %r = arith.addi %20, %19 : i64
// CHECK-NEXT:   func.return %r : i64
// CHECK-NEXT: }
func.func @s_mul_hi(%x: i64, %y: i64) -> i64 {
  %r = ocl.builtin "s_mul_hi"(%x, %y) : (i64, i64) -> i64
  func.return %r : i64
}

// CHECK:      func.func @s_mad_sat(%a: i16, %b: i16, %c: i16) -> i16 {
// CHECK-NEXT:   %0 = arith.extsi %a : i16 to i32
// CHECK-NEXT:   %1 = arith.extsi %b : i16 to i32
// CHECK-NEXT:   %2 = arith.extsi %c : i16 to i32
// CHECK-NEXT:   %3 = arith.muli %0, %1 : i32
// CHECK-NEXT:   %4 = arith.addi %3, %2 : i32
// CHECK-NEXT:   %5 = arith.constant 32767 : i32
// CHECK-NEXT:   %6 = arith.minsi %4, %5 : i32
// CHECK-NEXT:   %7 = arith.constant -32768 : i32
// CHECK-NEXT:   %8 = arith.maxsi %6, %7 : i32
// CHECK-NEXT:   %r = arith.trunci %8 : i32 to i16
// CHECK-NEXT:   func.return %r : i16
// CHECK-NEXT: }
func.func @s_mad_sat(%a: i16, %b: i16, %c: i16) -> i16 {
  %r = ocl.builtin "s_mad_sat"(%a, %b, %c) : (i16, i16, i16) -> i16
  func.return %r : i16
}

// CHECK:      func.func @rotate(%x: i32, %n: i32) -> i32 {
// CHECK-NEXT:   %0 = arith.constant 31 : i32
// CHECK-NEXT:   %1 = arith.andi %n, %0 : i32
// CHECK-NEXT:   %2 = arith.constant 0 : i32
// CHECK-NEXT:   %3 = arith.subi %2, %n : i32
// CHECK-NEXT:   %4 = arith.andi %3, %0 : i32
// CHECK-NEXT:   %5 = arith.shli %x, %1 : i32
// CHECK-NEXT:   %6 = arith.shrui %x, %4 : i32
// CHECK-NEXT:   %r = arith.ori %5, %6 : i32
// CHECK-NEXT:   func.return %r : i32
// CHECK-NEXT: }
func.func @rotate(%x: i32, %n: i32) -> i32 {
  %r = ocl.builtin "rotate"(%x, %n) : (i32, i32) -> i32
  func.return %r : i32
}

// CHECK:      func.func @upsample(%hi: i8, %lo: i8) -> i16 {
// CHECK-NEXT:   %0 = arith.extui %hi : i8 to i16
// CHECK-NEXT:   %1 = arith.extui %lo : i8 to i16
// CHECK-NEXT:   %2 = arith.constant 8 : i16
// CHECK-NEXT:   %3 = arith.shli %0, %2 : i16
// CHECK-NEXT:   %r = arith.ori %3, %1 : i16
// CHECK-NEXT:   func.return %r : i16
// CHECK-NEXT: }
func.func @upsample(%hi: i8, %lo: i8) -> i16 {
  %r = ocl.builtin "upsample"(%hi, %lo) : (i8, i8) -> i16
  func.return %r : i16
}
