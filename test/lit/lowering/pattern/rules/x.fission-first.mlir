// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.fission-first"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.fission-first"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f o g) -> map(f) o map(g), g is the only pattern of the function that needs the element

// CHECK: def matches(x) = map(join) o map(transpose)(x)
func.func @matches(%x: !pattern.array<N, 8, 4, i32>) -> !pattern.array<N, 32, i32> {
  %m = pattern.map %x as %e: !pattern.array<8, 4, i32> {
    %t = pattern.transpose %e : !pattern.array<4, 8, i32>
    %j = pattern.join %t : !pattern.array<32, i32>
    pattern.yield %j : !pattern.array<32, i32>
  } : !pattern.array<N, 32, i32>
  func.return %m : !pattern.array<N, 32, i32>
}

// REFUSED: <steps>:1:1: error: x.fission-first does not apply at @: map: expected one pattern of the element, and others after it
func.func @refuses(%x: !pattern.array<N, 8, 4, i32>) -> !pattern.array<N, 32, i32> {
  %m = pattern.map %x as %e: !pattern.array<8, 4, i32> {
    %t = pattern.join %e : !pattern.array<32, i32>
    pattern.yield %t : !pattern.array<32, i32>
  } : !pattern.array<N, 32, i32>
  func.return %m : !pattern.array<N, 32, i32>
}
