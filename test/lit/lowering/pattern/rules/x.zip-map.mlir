// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.zip-map"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.zip-map"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) o zip(..., map(g) a, ...) -> map(f o (..., g, ...)) o zip(..., a, ...)

// CHECK: def matches(x, y) = map(λ a,e: a - e * 3) o zip(x, y)
func.func @matches(%x: !pattern.array<8*N, i32>, %y: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %m = pattern.map %y as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %z = pattern.zip %x, %m : !pattern.array<8*N, tuple<i32, i32>>
  %r = pattern.map %z as (%a: i32, %b: i32) {
    %s = arith.subi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: x.zip-map does not apply at @: map: no input of the zip is made by a map for this one alone
func.func @refuses(%x: !pattern.array<8*N, i32>, %y: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %z = pattern.zip %x, %y : !pattern.array<8*N, tuple<i32, i32>>
  %r = pattern.map %z as (%a: i32, %b: i32) {
    %s = arith.subi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
