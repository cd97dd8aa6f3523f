// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.interchange"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.interchange"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(\a: map(\b: f(a,b)) bs) as -> transpose o map(\b: map(\a: f(a,b)) as) bs

// CHECK: def matches(x, y) = transpose o map(λ b: map(λ d: d - b)(x))(y)
func.func @matches(%x: !pattern.array<N, i32>, %y: !pattern.array<M, i32>) -> !pattern.array<N, M, i32> {
  %r = pattern.map %x as %a: i32 {
    %m = pattern.map %y as %b: i32 {
      %s = arith.subi %a, %b : i32
      pattern.yield %s : i32
    } : !pattern.array<M, i32>
    pattern.yield %m : !pattern.array<M, i32>
  } : !pattern.array<N, M, i32>
  func.return %r : !pattern.array<N, M, i32>
}

// REFUSED: <steps>:1:1: error: x.interchange does not apply at @: map: the inner map goes over the element of the outer one
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
