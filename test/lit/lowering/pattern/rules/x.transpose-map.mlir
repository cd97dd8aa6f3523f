// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.transpose-map"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.transpose-map"}' 2>&1 | filecheck %s --check-prefix REFUSED

// transpose o map(map(f)) -> map(map(f)) o transpose

// CHECK: def matches(x) = map(map(mult(3))) o transpose(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<8, N, i32> {
  %three = arith.constant 3 : i32
  %t = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  %r = pattern.transpose %t : !pattern.array<8, N, i32>
  func.return %r : !pattern.array<8, N, i32>
}

// The inner function depends on the row: on its first element.
// REFUSED: <steps>:1:1: error: x.transpose-map does not apply at @: transpose: expected a function that is one map; x.fission separates the rest
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<8, N, i32> {
  %t = pattern.map %x as %row: !pattern.array<8, i32> {
    %i = arith.constant 0 : index
    %first = pattern.at %row[%i] : i32
    %m = pattern.map %row as %e: i32 {
      %s = arith.subi %e, %first : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  %r = pattern.transpose %t : !pattern.array<8, N, i32>
  func.return %r : !pattern.array<8, N, i32>
}
