// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.map-join"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.map-join"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) o join -> join o map(map(f))

// CHECK: def matches(x) = join o map(map(mult(3)))(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %j = pattern.join %x : !pattern.array<8*N, i32>
  %r = pattern.map %j as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: x.map-join does not apply at @: map: expected an input made by join, got an argument
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
