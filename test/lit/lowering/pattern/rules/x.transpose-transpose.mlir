// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.transpose-transpose"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.transpose-transpose"}' 2>&1 | filecheck %s --check-prefix REFUSED

// transpose o transpose -> id

// CHECK: def matches(x) = x
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %t = pattern.transpose %x : !pattern.array<8, N, i32>
  %r = pattern.transpose %t : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: x.transpose-transpose does not apply at @: transpose: expected an input made by transpose, got an argument
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<8, N, i32> {
  %r = pattern.transpose %x : !pattern.array<8, N, i32>
  func.return %r : !pattern.array<8, N, i32>
}
