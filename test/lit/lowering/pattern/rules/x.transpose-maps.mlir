// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.transpose-maps"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.transpose-maps"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(map(f)) -> transpose o map(map(f)) o transpose

// CHECK: def matches(x) = transpose o map(map(mult(3))) o transpose(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %c = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %c : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: x.transpose-maps does not apply at @: map: expected a function that is one map; x.fission separates the rest
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %c = pattern.map %x as %row: !pattern.array<8, i32> {
    pattern.yield %row : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %c : !pattern.array<N, 8, i32>
}
