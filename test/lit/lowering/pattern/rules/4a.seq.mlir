// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4a.seq @fn"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="4a.seq"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) -> map-seq(f)

// CHECK: def matches(x) = map-global(map-seq(mult(3)))(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_global %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// What all work-items share cannot be inside.
// REFUSED: <steps>:1:1: error: 4a.seq does not apply at @: map: 'pattern.map_global' inside: it stands in a 'pattern.map_seq', which one work-item or work-group runs
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map_global %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
