// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.scal-out"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.scal-out"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(asScalar o f) -> asScalar o map(f)

// CHECK: def matches(x) = asScalar o map(id)(x)
func.func @matches(%x: !pattern.array<N, 2, vector<4xi32>>) -> !pattern.array<N, 8, i32> {
  %r = pattern.map %x as %row: !pattern.array<2, vector<4xi32>> {
    %s = pattern.as_scalar %row : !pattern.array<8, i32>
    pattern.yield %s : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: x.scal-out does not apply at @: map: expected an input made by as_scalar, got one made by map
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
