// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.map-reduce"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.map-reduce"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(reduce(f,z)) -> transpose o reduce(\accs,xs: map(f) o zip(accs,xs), z^m) o transpose

// CHECK: def matches(x) = transpose o reduce(λ b,c: map(+) o zip(b, c),generate(λ b: 0)) o transpose(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 1, i32> {
  %zero = arith.constant 0 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %s = pattern.reduce %row init %zero as %a: i32, %b: i32 assoc comm {
      %s = arith.addi %a, %b : i32
      pattern.yield %s : i32
    } : !pattern.array<1, i32>
    pattern.yield %s : !pattern.array<1, i32>
  } : !pattern.array<N, 1, i32>
  func.return %r : !pattern.array<N, 1, i32>
}

// REFUSED: <steps>:1:1: error: x.map-reduce does not apply at @: map: expected a function that is one reduce; x.fission separates the rest
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 1, i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    %s = pattern.reduce %m init %zero as %a: i32, %b: i32 assoc comm {
      %s = arith.addi %a, %b : i32
      pattern.yield %s : i32
    } : !pattern.array<1, i32>
    pattern.yield %s : !pattern.array<1, i32>
  } : !pattern.array<N, 1, i32>
  func.return %r : !pattern.array<N, 1, i32>
}
