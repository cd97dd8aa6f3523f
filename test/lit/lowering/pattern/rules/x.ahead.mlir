// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.ahead n=2 @fn/fn/in/in1"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.ahead n=2 @fn/fn/in/in1"}' 2>&1 | filecheck %s --check-prefix REFUSED

// toLocal(f) -> toLocal-ahead^n(f), in the function of a reduce-seq

// CHECK: def matches(x) = map-workgroup(
// CHECK-NEXT: reduce-seq(
// CHECK-NEXT: λ acc,row: map-local(λ a,b: b - a)
// CHECK-NEXT: o zip(acc, toLocal-ahead-2(map-local(id))(row)),generate(λ i: 0)
// CHECK-NEXT: )
// CHECK-NEXT: )(x)
func.func @matches(%x: !pattern.array<N, 4, 8, i32>) -> !pattern.array<N, 1, 8, i32> {
  %zero = arith.constant 0 : i32
  %g = pattern.map_workgroup %x as %c: !pattern.array<4, 8, i32> {
    %z = pattern.generate as %i: index {
      pattern.yield %zero : i32
    } : !pattern.array<8, i32>
    %r = pattern.reduce_seq %c init %z as %acc: !pattern.array<8, i32>, %row: !pattern.array<8, i32> {
      %l = pattern.map_local %row as %e: i32 {
        pattern.yield %e : i32
      } : !pattern.array<8, i32>
      %t = pattern.to_local %l : !pattern.array<8, i32>
      %p = pattern.zip %acc, %t : !pattern.array<8, tuple<i32, i32>>
      %m = pattern.map_local %p as (%a: i32, %b: i32) {
        %s = arith.subi %b, %a : i32
        pattern.yield %s : i32
      } : !pattern.array<8, i32>
      pattern.yield %m : !pattern.array<8, i32>
    } : !pattern.array<1, 8, i32>
    pattern.yield %r : !pattern.array<1, 8, i32>
  } : !pattern.array<N, 1, 8, i32>
  func.return %g : !pattern.array<N, 1, 8, i32>
}

// REFUSED: <steps>:1:1: error: x.ahead does not apply at @fn/fn/in/in1: to_local: it depends on the accumulator
func.func @refuses(%x: !pattern.array<N, 4, 8, i32>) -> !pattern.array<N, 1, 8, i32> {
  %zero = arith.constant 0 : i32
  %g = pattern.map_workgroup %x as %c: !pattern.array<4, 8, i32> {
    %z = pattern.generate as %i: index {
      pattern.yield %zero : i32
    } : !pattern.array<8, i32>
    %r = pattern.reduce_seq %c init %z as %acc: !pattern.array<8, i32>, %row: !pattern.array<8, i32> {
      %l = pattern.map_local %acc as %e: i32 {
        pattern.yield %e : i32
      } : !pattern.array<8, i32>
      %t = pattern.to_local %l : !pattern.array<8, i32>
      %p = pattern.zip %acc, %t : !pattern.array<8, tuple<i32, i32>>
      %m = pattern.map_local %p as (%a: i32, %b: i32) {
        %s = arith.subi %b, %a : i32
        pattern.yield %s : i32
      } : !pattern.array<8, i32>
      pattern.yield %m : !pattern.array<8, i32>
    } : !pattern.array<1, 8, i32>
    pattern.yield %r : !pattern.array<1, 8, i32>
  } : !pattern.array<N, 1, 8, i32>
  func.return %g : !pattern.array<N, 1, 8, i32>
}
