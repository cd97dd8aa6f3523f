// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.to-private @fn"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.to-private"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map-seq(f) -> toPrivate(map-seq(f)), and the same for reduce-seq

// CHECK: def matches(x) = map-global(toPrivate(map-seq(mult(3))))(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_global %x as %row: !pattern.array<8, i32> {
    %m = pattern.map_seq %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: x.to-private does not apply at @: map_global: expected map_seq or reduce_seq, got map_global
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_global %x as %row: !pattern.array<8, i32> {
    %m = pattern.map_seq %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
