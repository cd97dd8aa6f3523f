// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4c.id @in"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="4c.id"}' 2>&1 | filecheck %s --check-prefix REFUSED

// reorder -> id

// CHECK: def matches(x) = reduce(+,0)(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %o = pattern.reorder %x : !pattern.array<8*N, i32>
  %r = pattern.reduce %o init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED: <steps>:1:1: error: 4c.id does not apply at @: reorder_stride: expected reorder, got reorder_stride
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %r = pattern.reorder_stride %x by 4 : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
