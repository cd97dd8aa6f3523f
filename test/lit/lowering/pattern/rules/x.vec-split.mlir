// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.vec-split"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.vec-split"}' 2>&1 | filecheck %s --check-prefix REFUSED

// asVector^n o split^m -> split^(m/n) o asVector^n

// CHECK: def matches(x) = split-2 o asVector-4(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<N, 2, vector<4xi32>> {
  %s = pattern.split %x by 8 : !pattern.array<N, 8, i32>
  %r = pattern.as_vector %s by 4 : !pattern.array<N, 2, vector<4xi32>>
  func.return %r : !pattern.array<N, 2, vector<4xi32>>
}

// REFUSED: <steps>:1:1: error: x.vec-split does not apply at @: as_vector: expected an input made by split, got an argument
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 2, vector<4xi32>> {
  %r = pattern.as_vector %x by 4 : !pattern.array<N, 2, vector<4xi32>>
  func.return %r : !pattern.array<N, 2, vector<4xi32>>
}
