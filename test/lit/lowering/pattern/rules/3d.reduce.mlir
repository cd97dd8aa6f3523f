// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.reduce m=2*N"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="product" steps="3d.reduce m=4"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.reduce m=3*N"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.reduce m=8*N"}' 2>&1 | filecheck %s --check-prefix REFUSED2
// RUN: not ocl-opt %s -p 'pattern-derive{function="differences" steps="3d.reduce m=4"}' 2>&1 | filecheck %s --check-prefix REFUSED3
// RUN: not ocl-opt %s -p 'pattern-derive{function="from_five" steps="3d.reduce m=4"}' 2>&1 | filecheck %s --check-prefix REFUSED4

// reduce(f,z) -> reduce(f,z) o part-red(f,z), to m elements first

// CHECK: def matches(x) = reduce(+,0) o part-red(+,0)(x)
// REFUSED: <steps>:1:1: error: 3d.reduce does not apply at @: reduce: m = 3*N does not divide the size 8*N
// REFUSED2: <steps>:1:1: error: 3d.reduce does not apply at @: reduce: m = 8*N is the whole size: nothing would be reduced
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// The neutral element of a product is 1.
// CHECK2: def product(x) = reduce(*,1) o part-red(*,1)(x)
func.func @product(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %one = arith.constant 1 : i32
  %r = pattern.reduce %x init %one as %a: i32, %b: i32 assoc comm {
    %s = arith.muli %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// Not every function is associative.
// REFUSED3: <steps>:1:1: error: 3d.reduce does not apply at @: reduce: the function of this reduce is not declared associative ('assoc')
func.func @differences(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 {
    %s = arith.subi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// Five would be added several times.
// REFUSED4: <steps>:1:1: error: 3d.reduce does not apply at @: reduce: the initial value of this reduce is not known to be neutral, f(z, x) = x, and would count several times; declare it 'neutral' if it is
func.func @from_five(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %five = arith.constant 5 : i32
  %r = pattern.reduce %x init %five as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
