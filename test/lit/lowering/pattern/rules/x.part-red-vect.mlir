// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.part-red-vect n=4 @in"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="x.part-red-vect n=8 @in"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.part-red-vect n=4 @in"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// part-red(f,z) -> asScalar o part-red(vect^n(f), vect^n(z)) o asVector^n

// Each lane is a sum of its own.
// CHECK: def matches(x) = reduce(+,0) o asScalar o part-red(vectorize-4(+),vectorize-4(0)) o asVector-4(x)
// REFUSED: <steps>:1:1: error: x.part-red-vect does not apply at @in: part_red: n = 8 does not divide the size 4*N
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %p = pattern.part_red %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<4*N, i32>
  %r = pattern.reduce %p init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED2: <steps>:1:1: error: x.part-red-vect does not apply at @in: part_red: the function of this part_red is not declared commutative ('comm')
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %p = pattern.part_red %x init %zero as %a: i32, %b: i32 assoc {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<4*N, i32>
  %r = pattern.reduce %p init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
