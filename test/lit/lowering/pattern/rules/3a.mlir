// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3a m=1"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3a m=3"}' 2>&1 | filecheck %s --check-prefix REFUSED

// iterate^(m+n)(f) -> iterate^m(f) o iterate^n(f)

// CHECK: def matches(x) = iterate-1(
// CHECK-NEXT: join o map(reduce(+,0)) o split-2
// CHECK-NEXT: ) o iterate-2(join o map(reduce(+,0)) o split-2)(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<N, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.iterate 3 %x size S as %v: !pattern.array<2*S, i32> {
    %c = pattern.split %v by 2 : !pattern.array<S, 2, i32>
    %m = pattern.map %c as %two: !pattern.array<2, i32> {
      %p = pattern.reduce %two init %zero as %a: i32, %b: i32 assoc comm {
        %s = arith.addi %a, %b : i32
        pattern.yield %s : i32
      } : !pattern.array<1, i32>
      pattern.yield %p : !pattern.array<1, i32>
    } : !pattern.array<S, 1, i32>
    %j = pattern.join %m : !pattern.array<S, i32>
    pattern.yield %j : !pattern.array<S, i32>
  } : !pattern.array<N, i32>
  func.return %r : !pattern.array<N, i32>
}

// REFUSED: <steps>:1:1: error: 3a does not apply at @: iterate: m = 3 must be at least 1 and less than the 3 iterations
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<N, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.iterate 3 %x size S as %v: !pattern.array<2*S, i32> {
    %c = pattern.split %v by 2 : !pattern.array<S, 2, i32>
    %m = pattern.map %c as %two: !pattern.array<2, i32> {
      %p = pattern.reduce %two init %zero as %a: i32, %b: i32 assoc comm {
        %s = arith.addi %a, %b : i32
        pattern.yield %s : i32
      } : !pattern.array<1, i32>
      pattern.yield %p : !pattern.array<1, i32>
    } : !pattern.array<S, 1, i32>
    %j = pattern.join %m : !pattern.array<S, i32>
    pattern.yield %j : !pattern.array<S, i32>
  } : !pattern.array<N, i32>
  func.return %r : !pattern.array<N, i32>
}
