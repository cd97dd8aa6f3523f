// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.reduce-one"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.reduce-one"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="from_five" steps="x.reduce-one"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// reduce(f,z) -> id, of an array of one, for a neutral z

// CHECK: def matches(x) = x
func.func @matches(%x: !pattern.array<1, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED: <steps>:1:1: error: x.reduce-one does not apply at @: reduce: it reduces 8*N elements, expected 1
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED2: <steps>:1:1: error: x.reduce-one does not apply at @: reduce: the initial value of this reduce is not known to be neutral, f(z, x) = x, and would count several times; declare it 'neutral' if it is
func.func @from_five(%x: !pattern.array<1, i32>) -> !pattern.array<1, i32> {
  %five = arith.constant 5 : i32
  %r = pattern.reduce %x init %five as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
