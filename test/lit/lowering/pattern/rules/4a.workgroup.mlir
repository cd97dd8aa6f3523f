// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4a.workgroup"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4a.workgroup dim=1"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="4a.workgroup @fn"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="4a.workgroup dim=3"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// map(f) -> map-workgroup(f), along dimension dim

// CHECK: def matches(x) = map-workgroup(map(mult(3)))(x)
// CHECK2: def matches(x) = map-workgroup-1(map(mult(3)))(x)
// REFUSED2: <steps>:1:1: error: 4a.workgroup does not apply at @: map: dim = 3 must be 0, 1 or 2
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
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

// One work-item does what is in a map-seq.
// REFUSED: <steps>:1:1: error: 4a.workgroup does not apply at @fn: map: it stands in a 'pattern.map_seq', which one work-item or work-group runs
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_seq %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
