// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.parts"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.parts"}' 2>&1 | filecheck %s --check-prefix REFUSED

// X -> X o zip(map(\a,b: a), map(\a,b: b))

// CHECK: def matches(x, y) =
// CHECK-NEXT: p = zip(x, y)
// CHECK-NEXT: map(-) o zip(map(λ d,e: d)(p), map(λ d,e: e)(p))
func.func @matches(%x: !pattern.array<N, i32>, %y: !pattern.array<N, i32>) -> !pattern.array<N, i32> {
  %p = pattern.zip %x, %y : !pattern.array<N, tuple<i32, i32>>
  %m = pattern.map %p as (%a: i32, %b: i32) {
    %s = arith.subi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<N, i32>
  func.return %m : !pattern.array<N, i32>
}

// REFUSED: <steps>:1:1: error: x.parts does not apply at @: map: expected map to read an array of pairs
func.func @refuses(%x: !pattern.array<N, i32>, %y: !pattern.array<N, i32>) -> !pattern.array<N, i32> {
  %m = pattern.map %x as %a: i32 {
    %s = arith.subi %a, %a : i32
    pattern.yield %s : i32
  } : !pattern.array<N, i32>
  func.return %m : !pattern.array<N, i32>
}
