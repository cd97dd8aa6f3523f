// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4a.local @fn"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4a.local dim=1 @fn"}' -t pattern-paper | filecheck %s --check-prefix OTHER
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="4a.local dim=3 @fn"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="4a.local"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// map(f) -> map-local(f), in a map-workgroup; along a dimension without one there is one group

// CHECK: def matches(x) = map-workgroup(map-local(mult(3)))(x)
// OTHER: def matches(x) = map-workgroup(map-local-1(mult(3)))(x)
// REFUSED: <steps>:1:1: error: 4a.local does not apply at @fn: map: dim = 3 must be 0, 1 or 2
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_workgroup %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED2: <steps>:1:1: error: 4a.local does not apply at @: map: expected a 'pattern.map_workgroup' around it
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
