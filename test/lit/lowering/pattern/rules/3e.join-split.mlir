// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3e.join-split"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3e.join-split"}' 2>&1 | filecheck %s --check-prefix REFUSED

// join^n o split^n -> id

// CHECK: def matches(x) = x
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %s = pattern.split %x by 4 : !pattern.array<2*N, 4, i32>
  %r = pattern.join %s : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: 3e.join-split does not apply at @: join: expected an input made by split, got an argument
func.func @refuses(%x: !pattern.array<N, 4, i32>) -> !pattern.array<4*N, i32> {
  %r = pattern.join %x : !pattern.array<4*N, i32>
  func.return %r : !pattern.array<4*N, i32>
}
