// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3f.reduce"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3f.reduce"}' 2>&1 | filecheck %s --check-prefix REFUSED

// reduce-seq(f,z) o map-seq(g) -> reduce-seq(\acc,x: f(acc, g(x)), z)

// CHECK: def matches(x) = reduce-seq(λ a,e: a + e * 3,0)(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %m = pattern.map_seq %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %r = pattern.reduce_seq %m init %zero as %a: i32, %b: i32 {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}

// REFUSED: <steps>:1:1: error: 3f.reduce does not apply at @: reduce_seq: expected an input made by map_seq, got one made by map
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<1, i32> {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  %r = pattern.reduce_seq %m init %zero as %a: i32, %b: i32 {
    %s = arith.addi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r : !pattern.array<1, i32>
}
