// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3f.map"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="pairs" steps="3f.map"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="kinds" steps="3f.map"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="shared" steps="3f.map @zip/in"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// map(f) o map(g) -> map(f o g)

// CHECK: def matches(x) = map(add(1) o mult(3))(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %r = pattern.map %m as %e: i32 {
    %s = arith.addi %e, %one : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// The first map makes pairs, which the second takes apart.
// CHECK2: def pairs(x) = map(λ e: e - e * 3)(x)
func.func @pairs(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %e, %s : i32, i32
  } : !pattern.array<8*N, tuple<i32, i32>>
  %r = pattern.map %m as (%a: i32, %b: i32) {
    %s = arith.subi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// Of different kinds.
// REFUSED: <steps>:1:1: error: 3f.map does not apply at @: map_seq: expected an input made by map_seq, got one made by map
func.func @kinds(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %r = pattern.map_seq %m as %e: i32 {
    %s = arith.addi %e, %one : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED2: <steps>:1:1: error: 3f.map does not apply at @zip/in: map: the value of map has other uses, which would compute it again
func.func @shared(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, tuple<i32, i32>> {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %a = pattern.map %m as %e: i32 {
    %s = arith.addi %e, %one : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %r = pattern.zip %a, %m : !pattern.array<8*N, tuple<i32, i32>>
  func.return %r : !pattern.array<8*N, tuple<i32, i32>>
}
