// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.transpose-zip"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="right" steps="x.transpose-zip"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.transpose-zip"}' 2>&1 | filecheck %s --check-prefix REFUSED

// transpose o map(\row: zip(x, row)) -> map(\x,col: map(\e: {x, e}) col) o zip(x, transpose)

// CHECK: def matches(x, y) = map(λ c,d: map(λ e: {c, e})(d)) o zip(y, transpose(x))
func.func @matches(%x: !pattern.array<N, 8, i32>, %y: !pattern.array<8, i32>) -> !pattern.array<8, N, tuple<i32, i32>> {
  %p = pattern.map %x as %row: !pattern.array<8, i32> {
    %z = pattern.zip %y, %row : !pattern.array<8, tuple<i32, i32>>
    pattern.yield %z : !pattern.array<8, tuple<i32, i32>>
  } : !pattern.array<N, 8, tuple<i32, i32>>
  %r = pattern.transpose %p : !pattern.array<8, N, tuple<i32, i32>>
  func.return %r : !pattern.array<8, N, tuple<i32, i32>>
}

// CHECK2: def right(x, y) = map(λ c,d: map(λ e: {e, c})(d)) o zip(y, transpose(x))
func.func @right(%x: !pattern.array<N, 8, i32>, %y: !pattern.array<8, i32>) -> !pattern.array<8, N, tuple<i32, i32>> {
  %p = pattern.map %x as %row: !pattern.array<8, i32> {
    %z = pattern.zip %row, %y : !pattern.array<8, tuple<i32, i32>>
    pattern.yield %z : !pattern.array<8, tuple<i32, i32>>
  } : !pattern.array<N, 8, tuple<i32, i32>>
  %r = pattern.transpose %p : !pattern.array<8, N, tuple<i32, i32>>
  func.return %r : !pattern.array<8, N, tuple<i32, i32>>
}

// REFUSED: <steps>:1:1: error: x.transpose-zip does not apply at @: transpose: expected a function that zips its argument with something else
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<8, N, tuple<i32, i32>> {
  %p = pattern.map %x as %row: !pattern.array<8, i32> {
    %z = pattern.zip %row, %row : !pattern.array<8, tuple<i32, i32>>
    pattern.yield %z : !pattern.array<8, tuple<i32, i32>>
  } : !pattern.array<N, 8, tuple<i32, i32>>
  %r = pattern.transpose %p : !pattern.array<8, N, tuple<i32, i32>>
  func.return %r : !pattern.array<8, N, tuple<i32, i32>>
}
