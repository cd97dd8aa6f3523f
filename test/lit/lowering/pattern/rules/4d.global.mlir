// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4d.global @fn"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="4d.global @fn"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="twice" steps="4d.global @fn/in"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// map-local(f) -> toGlobal(map-local(f)), in a map-workgroup

// CHECK: def matches(x) = map-workgroup(toGlobal(map-local(mult(3))))(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_workgroup %x as %row: !pattern.array<8, i32> {
    %m = pattern.map_local %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: 4d.global does not apply at @fn: map_seq: expected map_local, got map_seq
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_workgroup %x as %row: !pattern.array<8, i32> {
    %m = pattern.map_seq %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED2: <steps>:1:1: error: 4d.global does not apply at @fn/in: map_local: it is marked to_global already
func.func @twice(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_workgroup %x as %row: !pattern.array<8, i32> {
    %m = pattern.map_local %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    %g = pattern.to_global %m : !pattern.array<8, i32>
    pattern.yield %g : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
