// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3b.out"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3b.out"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) o reorder -> reorder o map(f)

// CHECK: def matches(x) = reorder o map(mult(3))(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %o = pattern.reorder %x : !pattern.array<8*N, i32>
  %r = pattern.map %o as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: 3b.out does not apply at @: map: expected an input made by reorder, got an argument
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
