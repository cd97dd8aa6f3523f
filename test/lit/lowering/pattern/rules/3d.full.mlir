// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.full"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3d.full @in"}' 2>&1 | filecheck %s --check-prefix REFUSED

// part-red(f,z) -> reduce(f,z), where it leaves one element

// CHECK: def matches(x) = reduce(+,0)(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.part_red %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED: <steps>:1:1: error: 3d.full does not apply at @in: part_red: it leaves 4*N elements, where reduce leaves 1
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
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
