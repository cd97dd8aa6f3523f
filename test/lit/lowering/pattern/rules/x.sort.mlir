// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.sort"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="one" steps="x.sort"}' -t pattern-paper | filecheck %s --check-prefix ONE
// RUN: ocl-opt %s -p 'pattern-derive{function="pairs" steps="x.sort"}' -t pattern-paper | filecheck %s --check-prefix PAIRS
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.sort"}' 2>&1 | filecheck %s --check-prefix REFUSED

// sort(before)(x) -> iterate^(t*t)(...)(x)

// Eleven elements: four steps in each of four periods.
// CHECK: def matches(x) = iterate-16({{.*}})(x)
func.func @matches(%x: !pattern.array<11, i32>) -> !pattern.array<11, i32> {
  %y = pattern.sort %x as %a: i32, %b: i32 {
    %p = arith.cmpi sgt, %a, %b : i32
    pattern.yield %p : i1
  } : !pattern.array<11, i32>
  func.return %y : !pattern.array<11, i32>
}

// ONE: def one(x) = join(x)
func.func @one(%x: !pattern.array<1, 1, i32>) -> !pattern.array<1, i32> {
  %j = pattern.join %x : !pattern.array<1, i32>
  %y = pattern.sort %j as %a: i32, %b: i32 {
    %p = arith.cmpi sgt, %a, %b : i32
    pattern.yield %p : i1
  } : !pattern.array<1, i32>
  func.return %y : !pattern.array<1, i32>
}

// Pairs with the same first number stay in order: their indices are compared.
// PAIRS: def pairs(x, y) = unzip(
// PAIRS-NEXT: iterate-9(λ c,d: map(λ e: ...) o generate(id)) o zip(zip(map(λ e: e % 4)(x), y), generate(id))
// PAIRS-NEXT: ).0
func.func @pairs(%x: !pattern.array<7, i32>, %y: !pattern.array<7, i32>) -> !pattern.array<7, tuple<i32, i32>> {
  %four = arith.constant 4 : i32
  %ms = pattern.map %x as %e: i32 {
    %m = arith.remui %e, %four : i32
    pattern.yield %m : i32
  } : !pattern.array<7, i32>
  %xy = pattern.zip %ms, %y : !pattern.array<7, tuple<i32, i32>>
  %z = pattern.sort %xy as (%a: i32, %b: i32), (%c: i32, %d: i32) {
    %p = arith.cmpi ult, %a, %c : i32
    pattern.yield %p : i1
  } : !pattern.array<7, tuple<i32, i32>>
  func.return %z : !pattern.array<7, tuple<i32, i32>>
}

// REFUSED: <steps>:1:1: error: x.sort does not apply at @: sort: the number of steps depends on the size N; expected a number
func.func @refuses(%x: !pattern.array<N, i32>) -> !pattern.array<N, i32> {
  %y = pattern.sort %x as %a: i32, %b: i32 {
    %p = arith.cmpi slt, %a, %b : i32
    pattern.yield %p : i1
  } : !pattern.array<N, i32>
  func.return %y : !pattern.array<N, i32>
}
