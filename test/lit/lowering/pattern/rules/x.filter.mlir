// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.filter"}' | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="pairs" steps="x.filter"}' -t pattern-paper | filecheck %s --check-prefix PAIRS
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.filter"}' 2>&1 | filecheck %s --check-prefix REFUSED

// filter(p)(x) -> scatter(\old,new: new)(x, map(\x,k,i: if p(x) then k else n0 + i - k)(zip(x, ks, generate(id))), x), n

// CHECK: %[[flags:.*]] = pattern.map %x
// CHECK: %[[places:.*]] = pattern.scan %[[flags]] init {{.*}} exclusive assoc comm {
// CHECK: %[[again:.*]] = pattern.map %x
// CHECK: %[[count:.*]] = pattern.reduce %[[again]]
// CHECK: %[[targets:.*]] = pattern.map
// CHECK: = pattern.scatter %x to %[[targets]] init %x
func.func @matches(%x: !pattern.array<N, i32>, %k: i32) -> (!pattern.array<N, i32>, !pattern.array<1, index>) {
  %y, %n = pattern.filter %x as %e: i32 {
    %p = arith.cmpi slt, %e, %k : i32
    pattern.yield %p : i1
  } : !pattern.array<N, i32>, !pattern.array<1, index>
  func.return %y, %n : !pattern.array<N, i32>, !pattern.array<1, index>
}

// PAIRS: def pairs(x, y) =
// PAIRS: scatter(λ d,e: e)(
func.func @pairs(%x: !pattern.array<N, i32>, %y: !pattern.array<N, i32>) -> !pattern.array<N, tuple<i32, i32>> {
  %xy = pattern.zip %x, %y : !pattern.array<N, tuple<i32, i32>>
  %z, %n = pattern.filter %xy as (%a: i32, %b: i32) {
    %p = arith.cmpi slt, %a, %b : i32
    pattern.yield %p : i1
  } : !pattern.array<N, tuple<i32, i32>>, !pattern.array<1, index>
  func.return %z : !pattern.array<N, tuple<i32, i32>>
}

// REFUSED: <steps>:1:1: error: x.filter does not apply at @: split: expected filter, got split
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<N, 8, i32> {
  %r = pattern.split %x by 8 : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
