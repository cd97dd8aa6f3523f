// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.reduce-rest n=8"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="unmapped" steps="x.reduce-rest n=4"}' -t pattern-paper | filecheck %s --check-prefix UNMAPPED
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.reduce-rest n=8"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="unmapped" steps="x.reduce-rest n=7"}' 2>&1 | filecheck %s --check-prefix WHOLE
// RUN: not ocl-opt %s -p 'pattern-derive{function="unmapped" steps="x.reduce-rest n=15"}' 2>&1 | filecheck %s --check-prefix SMALL
// RUN: not ocl-opt %s -p 'pattern-derive{function="from_five" steps="x.reduce-rest n=8"}' 2>&1 | filecheck %s --check-prefix FIVE

// reduce(f,z) o h -> map(f) o zip(reduce(f,z) o h o take^m, reduce(f,z) o h o drop^m)

// CHECK: def matches(x) = map(+) o zip(
// CHECK-NEXT: reduce(+,0) o map(mult(3)) o take-16(x), reduce(+,0) o map(mult(3)) o drop-16(x)
func.func @matches(%x: !pattern.array<21, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<21, i32>
  %r = pattern.reduce %m init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// UNMAPPED: def unmapped(x) = map(+) o zip(reduce(+,0) o take-12(x), reduce(+,0) o drop-12(x))
// WHOLE: error: x.reduce-rest does not apply at @: reduce: 14 elements are no multiple of 7 and a rest
// SMALL: error: x.reduce-rest does not apply at @: reduce: 14 elements are no multiple of 15 and a rest
func.func @unmapped(%x: !pattern.array<14, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED: <steps>:1:1: error: x.reduce-rest does not apply at @: reduce: expected numbers, got the size N and n = 8
func.func @refuses(%x: !pattern.array<N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// FIVE: error: x.reduce-rest does not apply at @: reduce: the initial value of this reduce is not known to be neutral
func.func @from_five(%x: !pattern.array<21, i32>) -> !pattern.array<1, i32> {
  %five = arith.constant 5 : i32
  %r = pattern.reduce %x init %five as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
