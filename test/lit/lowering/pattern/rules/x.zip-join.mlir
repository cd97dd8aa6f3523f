// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.zip-join"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.zip-join"}' 2>&1 | filecheck %s --check-prefix REFUSED

// zip(join a, b, ...) -> join o map(zip) o zip(a, split^n b, ...)

// CHECK: def matches(x, y) = join o map(λ c,d: zip(c, d)) o zip(split-8(y), x)
func.func @matches(%x: !pattern.array<N, 8, i32>, %y: !pattern.array<8*N, i32>) -> !pattern.array<8*N, tuple<i32, i32>> {
  %j = pattern.join %x : !pattern.array<8*N, i32>
  %r = pattern.zip %y, %j : !pattern.array<8*N, tuple<i32, i32>>
  func.return %r : !pattern.array<8*N, tuple<i32, i32>>
}

// REFUSED: <steps>:1:1: error: x.zip-join does not apply at @: zip: no input is made by join
func.func @refuses(%x: !pattern.array<8*N, i32>, %y: !pattern.array<8*N, i32>) -> !pattern.array<8*N, tuple<i32, i32>> {
  %r = pattern.zip %x, %y : !pattern.array<8*N, tuple<i32, i32>>
  func.return %r : !pattern.array<8*N, tuple<i32, i32>>
}
