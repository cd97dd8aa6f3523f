// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.id"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="vectors" steps="x.id"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.id @fn"}' 2>&1 | filecheck %s --check-prefix REFUSED

// X -> map(id) o X, a copy

// CHECK: def matches(x) = map(id) o reduce(+,0)(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// Of vectors.
// CHECK2: def vectors(x) = map(vectorize-4(id)) o asVector-4(x)
func.func @vectors(%x: !pattern.array<8*N, i32>) -> !pattern.array<2*N, vector<4xi32>> {
  %r = pattern.as_vector %x by 4 : !pattern.array<2*N, vector<4xi32>>
  func.return %r : !pattern.array<2*N, vector<4xi32>>
}

// A single number is not copied.
// REFUSED: <steps>:1:1: error: x.id does not apply at @fn: arith.muli: expected a pattern that makes an array, got arith.muli
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
