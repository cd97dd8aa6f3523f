// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4d.local @fn/in"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="4d.local @fn"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map-local(f) -> toLocal(map-local(f)), in a map-workgroup

// CHECK: def matches(x) = map-workgroup(map-local(add(1)) o toLocal(map-local(mult(3))))(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %r = pattern.map_workgroup %x as %row: !pattern.array<8, i32> {
    %m = pattern.map_local %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    %n = pattern.map_local %m as %e: i32 {
      %s = arith.addi %e, %one : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %n : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: 4d.local does not apply at @fn: map: expected map_local, got map
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
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
