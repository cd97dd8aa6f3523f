// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.iterate n=3 @in"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.iterate n=1 @in"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="3d.iterate n=2 @in"}' 2>&1 | filecheck %s --check-prefix REFUSED

// part-red(f,z) -> iterate^n(part-red(f,z))

// No number times itself is 8.
// CHECK: def matches(x) = reduce(+,0) o iterate-3(part-red(+,0))(x)
// CHECK2: def matches(x) = reduce(+,0) o iterate-1(part-red(+,0))(x)
// REFUSED: <steps>:1:1: error: 3d.iterate does not apply at @in: part_red: it reduces 8 elements to one; expected k^2 for some k > 1
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %p = pattern.part_red %x init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<N, i32>
  %r = pattern.reduce %p init %zero as %a: i32, %b: i32 assoc comm {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
