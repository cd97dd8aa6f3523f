// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.fission"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.fission"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="twice" steps="x.fission"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// map(f o g) -> map(f) o map(g)

// CHECK: def matches(x) = map(reduce(+,0)) o map(map(mult(3)))(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 1, i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    %s = pattern.reduce %m init %zero as %a: i32, %b: i32 assoc comm {
      %s = arith.addi %a, %b : i32
      pattern.yield %s : i32
    } : !pattern.array<1, i32>
    pattern.yield %s : !pattern.array<1, i32>
  } : !pattern.array<N, 1, i32>
  func.return %r : !pattern.array<N, 1, i32>
}

// REFUSED: <steps>:1:1: error: x.fission does not apply at @: map: map is all that the function does
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

// The zip needs the row a second time.
// REFUSED2: <steps>:1:1: error: x.fission does not apply at @: map: zip needs more of the element than its first operand
func.func @twice(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, tuple<i32, i32>> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    %z = pattern.zip %m, %row : !pattern.array<8, tuple<i32, i32>>
    pattern.yield %z : !pattern.array<8, tuple<i32, i32>>
  } : !pattern.array<N, 8, tuple<i32, i32>>
  func.return %r : !pattern.array<N, 8, tuple<i32, i32>>
}
