// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.slide-tile n=4"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="every_second" steps="x.slide-tile n=4"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="x.slide-tile n=3"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) o slide(k,s) -> join o map(map(f) o slide(k,s)) o slide(n*s+k-s, n*s)

// CHECK: def matches(x) = join o map(map(reduce(+,0)) o slide-3-1) o slide-6-4(x)
// REFUSED: <steps>:1:1: error: x.slide-tile does not apply at @: map: n = 3 does not divide the size 8*N
func.func @matches(%x: !pattern.array<8*N + 2, i32>) -> !pattern.array<8*N, 1, i32> {
  %zero = arith.constant 0 : i32
  %w = pattern.slide %x size 3 step 1 : !pattern.array<8*N, 3, i32>
  %r = pattern.map %w as %row: !pattern.array<3, i32> {
    %s = pattern.reduce %row init %zero as %a: i32, %b: i32 assoc comm {
      %s = arith.addi %a, %b : i32
      pattern.yield %s : i32
    } : !pattern.array<1, i32>
    pattern.yield %s : !pattern.array<1, i32>
  } : !pattern.array<8*N, 1, i32>
  func.return %r : !pattern.array<8*N, 1, i32>
}

// CHECK2: def every_second(x) = join o map(map(reduce(+,0)) o slide-3-2) o slide-9-8(x)
func.func @every_second(%x: !pattern.array<8*N + 1, i32>) -> !pattern.array<4*N, 1, i32> {
  %zero = arith.constant 0 : i32
  %w = pattern.slide %x size 3 step 2 : !pattern.array<4*N, 3, i32>
  %r = pattern.map %w as %row: !pattern.array<3, i32> {
    %s = pattern.reduce %row init %zero as %a: i32, %b: i32 assoc comm {
      %s = arith.addi %a, %b : i32
      pattern.yield %s : i32
    } : !pattern.array<1, i32>
    pattern.yield %s : !pattern.array<1, i32>
  } : !pattern.array<4*N, 1, i32>
  func.return %r : !pattern.array<4*N, 1, i32>
}
