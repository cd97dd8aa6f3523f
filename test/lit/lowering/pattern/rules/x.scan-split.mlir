// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.scan-split n=4"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="exclusive" steps="x.scan-split n=4"}' -t pattern-paper | filecheck %s --check-prefix EXCLUSIVE
// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.scan-split n=4;x.scan-split n=2 @map/fn"}' -t pattern-paper | filecheck %s --check-prefix TWICE
// RUN: ocl-opt %s -p 'pattern-derive{function="pairs" steps="x.scan-split n=4"}' -t pattern-paper | filecheck %s --check-prefix PAIRS
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.scan-split n=4"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="unknown" steps="x.scan-split n=4"}' 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="x.scan-split n=3"}' 2>&1 | filecheck %s --check-prefix SIZE

// scan(f,z) -> join o map(\s,xs: scan(f,s) o xs) o zip(scan-exclusive(f,z) o join o map(reduce(f,e)) o split^n,split^n)

// CHECK: def matches(x) = join o map(λ b,c: scan(+,b)(c)) o zip(
// CHECK-NEXT: scan-exclusive(+,0) o join o map(reduce(+,0)) o split-4(x), split-4(x)
// CHECK-NEXT: )

// In a chunk the scan starts at a sum, and the rule applies again: the reduction starts at 0.
// TWICE: λ b,c: join o map(λ d,e: scan(+,d)(e))
// TWICE-NEXT: o zip(scan-exclusive(+,b) o join o map(reduce(+,0)) o split-2(c), split-2(c))

// SIZE: error: x.scan-split does not apply at @: scan: n = 3 does not divide the size 4*N
func.func @matches(%x: !pattern.array<4*N, i32>) -> !pattern.array<4*N, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.scan %x init %zero as %a: i32, %b: i32 assoc {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<4*N, i32>
  func.return %r : !pattern.array<4*N, i32>
}

// The maximum of the elements before each one, and of z: the neutral element is the least integer.
// EXCLUSIVE: def exclusive(x, z) = join o map(λ c,d: scan-exclusive(max,c)(d)) o zip(
// EXCLUSIVE-NEXT: scan-exclusive(max,z) o join o map(reduce(max,-2147483648)) o split-4(x), split-4(x)
func.func @exclusive(%x: !pattern.array<4*N, i32>, %z: i32) -> !pattern.array<4*N, i32> {
  %r = pattern.scan %x init %z as %a: i32, %b: i32 exclusive assoc {
    %s = arith.maxsi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<4*N, i32>
  func.return %r : !pattern.array<4*N, i32>
}

// Affine functions, composed: associative, not commutative. Their neutral element is declared.
// PAIRS: def pairs(x, y) =
// PAIRS: join o map(λ d,e: scan(λ (a,b),(c,d1): {a * c, b * c + d1},d)(e)) o zip(
func.func @pairs(%x: !pattern.array<4*N, i32>, %y: !pattern.array<4*N, i32>) -> !pattern.array<4*N, tuple<i32, i32>> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %z = pattern.tuple %one, %zero : tuple<i32, i32>
  %xy = pattern.zip %x, %y : !pattern.array<4*N, tuple<i32, i32>>
  %r = pattern.scan %xy init %z as (%a: i32, %b: i32), (%c: i32, %d: i32) assoc neutral {
    %ac = arith.muli %a, %c : i32
    %bc = arith.muli %b, %c : i32
    %bcd = arith.addi %bc, %d : i32
    pattern.yield %ac, %bcd : i32, i32
  } : !pattern.array<4*N, tuple<i32, i32>>
  func.return %r : !pattern.array<4*N, tuple<i32, i32>>
}

// REFUSED: <steps>:1:1: error: x.scan-split does not apply at @: scan: the function of this scan is not declared associative ('assoc')
func.func @refuses(%x: !pattern.array<4*N, i32>) -> !pattern.array<4*N, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.scan %x init %zero as %a: i32, %b: i32 {
    %s = arith.subi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<4*N, i32>
  func.return %r : !pattern.array<4*N, i32>
}

// UNKNOWN: error: x.scan-split does not apply at @: scan: the function of this scan has no neutral element that is known, e with f(e, x) = x; declare the initial value 'neutral' if it is one
func.func @unknown(%x: !pattern.array<4*N, i32>) -> !pattern.array<4*N, i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = pattern.scan %x init %zero as %a: i32, %b: i32 assoc {
    %s = arith.addi %a, %b : i32
    %t = arith.addi %s, %one : i32
    pattern.yield %t : i32
  } : !pattern.array<4*N, i32>
  func.return %r : !pattern.array<4*N, i32>
}
