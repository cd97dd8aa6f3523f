// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.scatter-split n=8"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.scatter-split n=8"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="overwrites" steps="x.scatter-split n=8"}' 2>&1 | filecheck %s --check-prefix OVERWRITES
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="x.scatter-split n=3"}' 2>&1 | filecheck %s --check-prefix SIZE

// scatter(f)(x,is,a) -> join o map(\v,vs: reduce(f,v)(vs)) o zip(a, transpose o map(\xs,js: scatter(f)(xs,js,e^M)) o zip(split^n x, split^n is))

// CHECK: def matches(x, a) = join o map(λ c,d: reduce(+,c)(d)) o zip(
// CHECK-NEXT: a, transpose o map(λ c,d: scatter(+)(c, d, generate(λ e: 0)))
// CHECK-NEXT: o zip(split-8(x), split-8 o map(λ e: e % 5)(x))
// SIZE: error: x.scatter-split does not apply at @: scatter: n = 3 does not divide the size 8*N
func.func @matches(%x: !pattern.array<8*N, i32>, %a: !pattern.array<5, i32>) -> !pattern.array<5, i32> {
  %five = arith.constant 5 : i32
  %ids = pattern.map %x as %e: i32 {
    %i = arith.remui %e, %five : i32
    pattern.yield %i : i32
  } : !pattern.array<8*N, i32>
  %r = pattern.scatter %x to %ids init %a as %old: i32, %new: i32 assoc comm {
    %s = arith.addi %old, %new : i32
    pattern.yield %s : i32
  } : !pattern.array<5, i32>
  func.return %r : !pattern.array<5, i32>
}

// REFUSED: <steps>:1:1: error: x.scatter-split does not apply at @: scatter: the function of this scatter is not declared associative ('assoc')
func.func @refuses(%x: !pattern.array<8*N, i32>, %ids: !pattern.array<8*N, i32>, %a: !pattern.array<M, i32>) -> !pattern.array<M, i32> {
  %r = pattern.scatter %x to %ids init %a as %old: i32, %new: i32 {
    %s = arith.subi %old, %new : i32
    pattern.yield %s : i32
  } : !pattern.array<M, i32>
  func.return %r : !pattern.array<M, i32>
}

// Which of two is the last one is associative, but nothing is neutral.
// OVERWRITES: error: x.scatter-split does not apply at @: scatter: the function of this scatter has no neutral element that is known, e with f(e, x) = x
func.func @overwrites(%x: !pattern.array<8*N, i32>, %ids: !pattern.array<8*N, i32>, %a: !pattern.array<M, i32>) -> !pattern.array<M, i32> {
  %r = pattern.scatter %x to %ids init %a as %old: i32, %new: i32 assoc {
    pattern.yield %new : i32
  } : !pattern.array<M, i32>
  func.return %r : !pattern.array<M, i32>
}
