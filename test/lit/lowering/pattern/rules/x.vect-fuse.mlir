// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.vect-fuse @fn"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.vect-fuse @fn"}' 2>&1 | filecheck %s --check-prefix REFUSED

// vect^n(f)(..., vect^n(g)(x), ...) -> vect^n(f o g)(..., x, ...)

// CHECK: def matches(x) = map(vectorize-4(add(1) o mult(3)))(x)
func.func @matches(%x: !pattern.array<N, vector<4xi32>>) -> !pattern.array<N, vector<4xi32>> {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: vector<4xi32> {
    %v = pattern.vect %e as %l: i32 {
      %s = arith.muli %l, %three : i32
      pattern.yield %s : i32
    } : vector<4xi32>
    %w = pattern.vect %v as %l: i32 {
      %s = arith.addi %l, %one : i32
      pattern.yield %s : i32
    } : vector<4xi32>
    pattern.yield %w : vector<4xi32>
  } : !pattern.array<N, vector<4xi32>>
  func.return %r : !pattern.array<N, vector<4xi32>>
}

// REFUSED: <steps>:1:1: error: x.vect-fuse does not apply at @fn: vect: no operand is made by another vect for this one alone
func.func @refuses(%x: !pattern.array<N, vector<4xi32>>) -> !pattern.array<N, vector<4xi32>> {
  %one = arith.constant 1 : i32
  %r = pattern.map %x as %e: vector<4xi32> {
    %w = pattern.vect %e as %l: i32 {
      %s = arith.addi %l, %one : i32
      pattern.yield %s : i32
    } : vector<4xi32>
    pattern.yield %w : vector<4xi32>
  } : !pattern.array<N, vector<4xi32>>
  func.return %r : !pattern.array<N, vector<4xi32>>
}
