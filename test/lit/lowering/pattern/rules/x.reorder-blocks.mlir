// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.reorder-blocks n=2 s=4"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.reorder-blocks n=2 s=8"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) -> join o reorder-stride^(N/n/s) o split^n o map(f) o join o reorder-stride^s o split^n

// CHECK: def matches(x) = join o reorder-stride-N o split-2 o map(mult(3)) o join o reorder-stride-4 o split-2(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %m : !pattern.array<8*N, i32>
}

// There are 4*N blocks.
// REFUSED: <steps>:1:1: error: x.reorder-blocks does not apply at @: map: s = 8 does not divide the size 4*N; it does for some sizes: 'size N divisible_by 2'
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %m : !pattern.array<8*N, i32>
}
