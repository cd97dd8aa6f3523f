// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="repeat 3e"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3e"}' 2>&1 | filecheck %s --check-prefix REFUSED

// The simplifications by one name: that which begins with the pattern here.

// CHECK: def matches(x) = x
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %s = pattern.split %x by 4 : !pattern.array<2*N, 4, i32>
  %j = pattern.join %s : !pattern.array<8*N, i32>
  %v = pattern.as_vector %j by 4 : !pattern.array<2*N, vector<4xi32>>
  %r = pattern.as_scalar %v : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: 3e does not apply at @: map: expected split or join or as_vector or as_scalar, got map
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
