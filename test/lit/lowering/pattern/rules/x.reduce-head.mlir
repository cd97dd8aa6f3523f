// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.reduce-head n=5"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="unmapped" steps="x.reduce-head n=1"}' -t pattern-paper | filecheck %s --check-prefix UNMAPPED
// RUN: not ocl-opt %s -p 'pattern-derive{function="unmapped" steps="x.reduce-head n=14"}' 2>&1 | filecheck %s --check-prefix ALL
// RUN: not ocl-opt %s -p 'pattern-derive{function="unmapped" steps="x.reduce-head n=0"}' 2>&1 | filecheck %s --check-prefix NONE
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.reduce-head n=5"}' 2>&1 | filecheck %s --check-prefix REFUSED

// reduce(f,z) o h -> map(f) o zip(reduce(f,z) o h o take^n, reduce(f,z) o h o drop^n)

// CHECK: def matches(x) = map(+) o zip(
// CHECK-NEXT: reduce(+,0) o map(mult(3)) o take-5(x), reduce(+,0) o map(mult(3)) o drop-5(x)
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

// UNMAPPED: def unmapped(x) = map(+) o zip(reduce(+,0) o take-1(x), reduce(+,0) o drop-1(x))
// ALL: error: x.reduce-head does not apply at @: reduce: expected a number of elements between 0 and 14, got 14
// NONE: error: x.reduce-head does not apply at @: reduce: expected a number of elements between 0 and 14, got 0
func.func @unmapped(%x: !pattern.array<14, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED: error: x.reduce-head does not apply at @: reduce: the initial value of this reduce is not known to be neutral
func.func @refuses(%x: !pattern.array<21, i32>) -> !pattern.array<1, i32> {
  %seven = arith.constant 7 : i32
  %r = pattern.reduce %x init %seven as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
