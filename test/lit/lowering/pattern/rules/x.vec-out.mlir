// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.vec-out"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.vec-out"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f o asVector^n) -> map(f) o asVector^n

// CHECK: def matches(x) = map(id) o asVector-4(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 2, vector<4xi32>> {
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %v = pattern.as_vector %row by 4 : !pattern.array<2, vector<4xi32>>
    pattern.yield %v : !pattern.array<2, vector<4xi32>>
  } : !pattern.array<N, 2, vector<4xi32>>
  func.return %r : !pattern.array<N, 2, vector<4xi32>>
}

// REFUSED: <steps>:1:1: error: x.vec-out does not apply at @: map: expected a function that needs its argument for asVector only
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
