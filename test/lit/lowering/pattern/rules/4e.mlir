// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4e n=4"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="pairs" steps="4e n=2"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="4e n=16"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="4e n=4; 4e n=2 @in"}' 2>&1 | filecheck %s --check-prefix REFUSED2
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="4e n=4"}' 2>&1 | filecheck %s --check-prefix REFUSED3

// map(f) -> asScalar o map(vect^n(f)) o asVector^n

// CHECK: def matches(x) = asScalar o map(vectorize-4(mult(3))) o asVector-4(x)
// REFUSED: <steps>:1:1: error: 4e does not apply at @: map: n = 16 does not divide the size 8*N
// REFUSED2: <steps>:2:2: error: 4e does not apply at @in: map: the function takes vector<4xi32>, expected scalars
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// Tuples become tuples of vectors.
// CHECK2: def pairs(x, y) = asScalar o map(vectorize-2(-)) o asVector-2 o zip(x, y)
func.func @pairs(%x: !pattern.array<8*N, i32>, %y: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %xy = pattern.zip %x, %y : !pattern.array<8*N, tuple<i32, i32>>
  %r = pattern.map %xy as (%a: i32, %b: i32) {
    %s = arith.subi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// A function that is called is made a part of the program, which needs its body.
// REFUSED3: 4e.mlir:{{[0-9]+}}:{{[0-9]+}}: error: @f has no body; expected a function of this module
func.func private @f(i32) -> i32

func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %r = pattern.map %x as %e: i32 {
    %s = func.call @f(%e) : (i32) -> i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
