// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3c n=4"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3c n=N"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: ocl-opt %s -p 'pattern-derive{function="pairs" steps="3c n=2"}' -t pattern-paper | filecheck %s --check-prefix CHECK3
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="3c n=3"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3c n=4"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// map(f) -> join o map(map(f)) o split^n, where n divides the size

// n may be a size, too.
// CHECK: def matches(x) = join o map(map(mult(3))) o split-4(x)
// CHECK2: def matches(x) = join o map(map(mult(3))) o split-N(x)
// REFUSED: <steps>:1:1: error: 3c does not apply at @: map: n = 3 does not divide the size 8*N
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// A function of a tuple that takes it apart.
// CHECK3: def pairs(x, y) = join o map(map(-)) o split-2 o zip(x, y)
func.func @pairs(%x: !pattern.array<8*N, i32>, %y: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %xy = pattern.zip %x, %y : !pattern.array<8*N, tuple<i32, i32>>
  %r = pattern.map %xy as (%a: i32, %b: i32) {
    %s = arith.subi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// Only the high-level map is split.
// REFUSED2: <steps>:1:1: error: 3c does not apply at @: map_seq: expected map, got map_seq
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_seq %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
