// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.reduce-split n=8"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.reduce-split n=3"}' 2>&1 | filecheck %s --check-prefix REFUSED

// reduce-seq(f,z) -> reduce-seq(\acc,xs: at0 o reduce-seq(f,acc)(xs),z) o split^n

// CHECK: def matches(x) = reduce-seq(λ b,c: reduce-seq(λ acc,e: e - acc,b)(c)[0],0) o split-8(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce_seq %x init %zero as %acc: i32, %e: i32 {
    %s = arith.subi %e, %acc : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED: <steps>:1:1: error: x.reduce-split does not apply at @: reduce_seq: n = 3 does not divide the size 8*N; it does for some sizes: 'size N divisible_by 3'
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.reduce_seq %x init %zero as %acc: i32, %e: i32 {
    %s = arith.subi %e, %acc : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
