// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.split-map"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.split-map"}' 2>&1 | filecheck %s --check-prefix REFUSED

// split^n o map(f) -> map(map(f)) o split^n

// CHECK: def matches(x) = map(map(mult(3))) o split-8(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %r = pattern.split %m by 8 : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: x.split-map does not apply at @: split: expected an input made by map, got an argument
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<N, 8, i32> {
  %r = pattern.split %x by 8 : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
