// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.accumulators @in"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.accumulators"}' 2>&1 | filecheck %s --check-prefix REFUSED

// part-red(f,z) -> join o reduce(\accs,xs: map(f) o zip(accs,xs), z^m) o split^m

// CHECK: def matches(x) = reduce(+,0) o join o reduce(
// CHECK-NEXT: λ b,c: map(+) o zip(b, c),generate(λ b: 0)
// CHECK-NEXT: ) o split-4(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %p = pattern.part_red %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<4, i32>
  %r = pattern.reduce %p init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED: <steps>:1:1: error: x.accumulators does not apply at @: part_red: it leaves one element: there would be one accumulator
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.part_red %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
