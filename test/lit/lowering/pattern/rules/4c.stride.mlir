// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4c.stride s=4 @in"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4c.stride s=N @in"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="4c.stride s=3 @in"}' 2>&1 | filecheck %s --check-prefix REFUSED

// reorder -> reorder-stride^s

// CHECK: def matches(x) = reduce(+,0) o reorder-stride-4(x)
// CHECK2: def matches(x) = reduce(+,0) o reorder-stride-N(x)
// REFUSED: <steps>:1:1: error: 4c.stride does not apply at @in: reorder: s = 3 does not divide the size 8*N
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %o = pattern.reorder %x : !pattern.array<8*N, i32>
  %r = pattern.reduce %o init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
