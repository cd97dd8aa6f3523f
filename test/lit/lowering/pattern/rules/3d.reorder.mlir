// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.reorder @in"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3d.reorder @in"}' 2>&1 | filecheck %s --check-prefix REFUSED

// part-red(f,z) -> part-red(f,z) o reorder, for a commutative f

// CHECK: def matches(x) = reduce(+,0) o part-red(+,0) o reorder(x)
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

// REFUSED: <steps>:1:1: error: 3d.reorder does not apply at @in: part_red: the function of this part_red is not declared commutative ('comm')
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %p = pattern.part_red %x init %zero as %a: i32, %b: i32 assoc {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<4*N, i32>
  %r = pattern.reduce %p init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
