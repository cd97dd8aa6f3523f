// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.split n=4 @in"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.split n=2 @in"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.split n=3 @in"}' 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.split n=1 @in"}' 2>&1 | filecheck %s --check-prefix REFUSED2

// part-red(f,z) -> join o map(part-red(f,z)) o split^n

// 4*N results cannot come from 8*N chunks.
// CHECK: def matches(x) = reduce(+,0) o join o map(part-red(+,0)) o split-4(x)
// CHECK2: def matches(x) = reduce(+,0) o join o map(part-red(+,0)) o split-2(x)
// REFUSED: <steps>:1:1: error: 3d.split does not apply at @in: part_red: n = 3 does not divide the size 8*N
// REFUSED2: <steps>:1:1: error: 3d.split does not apply at @in: part_red: the number of chunks, size/n = 8*N does not divide the size 4*N
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %p = pattern.part_red %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<4*N, i32>
  %r = pattern.reduce %p init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
