// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.vect @fn"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.vect"}' 2>&1 | filecheck %s --check-prefix REFUSED

// vect^n(f) -> f, with operations on vectors; what f captures is the same in each lane

// CHECK: def matches(x, k) = map(λ e: e * vectorize-4(3) + broadcast(k))(x)
func.func @matches(%x: !pattern.array<N, vector<4xi32>>, %k: i32) -> !pattern.array<N, vector<4xi32>> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: vector<4xi32> {
    %v = pattern.vect %e as %l: i32 {
      %p = arith.muli %l, %three : i32
      %s = arith.addi %p, %k : i32
      pattern.yield %s : i32
    } : vector<4xi32>
    pattern.yield %v : vector<4xi32>
  } : !pattern.array<N, vector<4xi32>>
  func.return %r : !pattern.array<N, vector<4xi32>>
}

// REFUSED: <steps>:1:1: error: x.vect does not apply at @: map: expected vect, got map
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
