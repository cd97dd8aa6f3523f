// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.map-reduce-seq"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.map-reduce-seq"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(reduce-seq(f,z)) -> transpose o reduce-seq(\accs,xs: map(f) o zip(accs,xs),z^N) o transpose

// CHECK: def matches(x) = transpose o reduce-seq(
// CHECK-NEXT: λ b,c: map(λ acc,e: e - acc) o zip(b, c),generate(λ b: 0)
// CHECK-NEXT: ) o transpose(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 1, i32> {
  %zero = arith.constant 0 : i32
  %m = pattern.map %x as %row: !pattern.array<8, i32> {
    %r = pattern.reduce_seq %row init %zero as %acc: i32, %e: i32 {
      %s = arith.subi %e, %acc : i32
      pattern.yield %s : i32
    } : !pattern.array<1, i32>
    pattern.yield %r : !pattern.array<1, i32>
  } : !pattern.array<N, 1, i32>
  func.return %m : !pattern.array<N, 1, i32>
}

// REFUSED: <steps>:1:1: error: x.map-reduce-seq does not apply at @: map: expected a function that is one reduce_seq; x.fission separates the rest
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 1, i32> {
  %zero = arith.constant 0 : i32
  %m = pattern.map %x as %row: !pattern.array<8, i32> {
    %i = arith.constant 0 : index
    %first = pattern.at %row[%i] : i32
    %r = pattern.reduce_seq %row init %first as %acc: i32, %e: i32 {
      %s = arith.subi %e, %acc : i32
      pattern.yield %s : i32
    } : !pattern.array<1, i32>
    pattern.yield %r : !pattern.array<1, i32>
  } : !pattern.array<N, 1, i32>
  func.return %m : !pattern.array<N, 1, i32>
}
