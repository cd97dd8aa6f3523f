// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.split-zip n=8"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.split-zip n=4"}' 2>&1 | filecheck %s --check-prefix REFUSED

// split^n o zip(a, b, ...) -> map(zip) o zip(split^n a, split^n b, ...)

// CHECK: def matches(x, y) = map(λ c,d: zip(c, d)) o zip(split-8(x), split-8(y))
func.func @matches(%x: !pattern.array<8*N, i32>, %y: !pattern.array<8*N, i32>) -> !pattern.array<N, 8, tuple<i32, i32>> {
  %p = pattern.zip %x, %y : !pattern.array<8*N, tuple<i32, i32>>
  %s = pattern.split %p by 8 : !pattern.array<N, 8, tuple<i32, i32>>
  func.return %s : !pattern.array<N, 8, tuple<i32, i32>>
}

// REFUSED: <steps>:1:1: error: x.split-zip does not apply at @: split: the rows have 8 elements, not 4
func.func @refuses(%x: !pattern.array<8*N, i32>, %y: !pattern.array<8*N, i32>) -> !pattern.array<N, 8, tuple<i32, i32>> {
  %p = pattern.zip %x, %y : !pattern.array<8*N, tuple<i32, i32>>
  %s = pattern.split %p by 8 : !pattern.array<N, 8, tuple<i32, i32>>
  func.return %s : !pattern.array<N, 8, tuple<i32, i32>>
}
