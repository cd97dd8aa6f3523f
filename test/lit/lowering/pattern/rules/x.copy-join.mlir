// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.copy-join n=8"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.copy-join n=4"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) -> split^n o map(id) o join, f is the identity

// CHECK: def matches(x) = split-8 o map(id) o join(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %c = pattern.map %x as %row: !pattern.array<8, i32> {
    pattern.yield %row : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %c : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: x.copy-join does not apply at @: map: the rows have 8 elements, not 4
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %c = pattern.map %x as %row: !pattern.array<8, i32> {
    pattern.yield %row : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %c : !pattern.array<N, 8, i32>
}
