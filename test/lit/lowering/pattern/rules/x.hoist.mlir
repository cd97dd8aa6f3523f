// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.hoist @fn/in1"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="x.hoist @"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.hoist @fn/in1"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// map(\a: f(a, c)) -> map(\a: f(a, x)), where x = c is computed once, outside

// The same numbers are multiplied for each row.
// CHECK: def matches(x, y) = map(λ row: zip(row, map(mult(3))(y)))(x)
// REFUSED: <steps>:1:1: error: x.hoist does not apply at @: map: it is in no function of a map or a reduction
func.func @matches(%x: !pattern.array<N, 8, i32>, %y: !pattern.array<8, i32>) -> !pattern.array<N, 8, tuple<i32, i32>> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %y as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    %z = pattern.zip %row, %m : !pattern.array<8, tuple<i32, i32>>
    pattern.yield %z : !pattern.array<8, tuple<i32, i32>>
  } : !pattern.array<N, 8, tuple<i32, i32>>
  func.return %r : !pattern.array<N, 8, tuple<i32, i32>>
}

// REFUSED2: <steps>:1:1: error: x.hoist does not apply at @fn/in1: map: map depends on the element
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, tuple<i32, i32>> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    %z = pattern.zip %row, %m : !pattern.array<8, tuple<i32, i32>>
    pattern.yield %z : !pattern.array<8, tuple<i32, i32>>
  } : !pattern.array<N, 8, tuple<i32, i32>>
  func.return %r : !pattern.array<N, 8, tuple<i32, i32>>
}
