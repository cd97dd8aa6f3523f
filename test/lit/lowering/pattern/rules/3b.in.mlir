// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3b.in"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3b.in @zip/in"}' 2>&1 | filecheck %s --check-prefix REFUSED

// reorder o map(f) -> map(f) o reorder

// CHECK: def matches(x) = map(mult(3)) o reorder(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %r = pattern.reorder %m : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// What else needs the map would compute it again.
// REFUSED: <steps>:1:1: error: 3b.in does not apply at @zip/in: reorder: the value of map has other uses, which would compute it again
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, tuple<i32, i32>> {
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %o = pattern.reorder %m : !pattern.array<8*N, i32>
  %r = pattern.zip %o, %m : !pattern.array<8*N, tuple<i32, i32>>
  func.return %r : !pattern.array<8*N, tuple<i32, i32>>
}
