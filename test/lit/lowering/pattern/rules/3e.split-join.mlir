// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3e.split-join"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3e.split-join"}' 2>&1 | filecheck %s --check-prefix REFUSED

// split^n o join^n -> id, for the same n

// CHECK: def matches(x) = x
func.func @matches(%x: !pattern.array<N, 4, i32>) -> !pattern.array<N, 4, i32> {
  %j = pattern.join %x : !pattern.array<4*N, i32>
  %r = pattern.split %j by 4 : !pattern.array<N, 4, i32>
  func.return %r : !pattern.array<N, 4, i32>
}

// REFUSED: <steps>:1:1: error: 3e.split-join does not apply at @: split: join takes !pattern.array<N, 4, i32>, split makes !pattern.array<2*N, 2, i32>
func.func @refuses(%x: !pattern.array<N, 4, i32>) -> !pattern.array<2*N, 2, i32> {
  %j = pattern.join %x : !pattern.array<4*N, i32>
  %r = pattern.split %j by 2 : !pattern.array<2*N, 2, i32>
  func.return %r : !pattern.array<2*N, 2, i32>
}
