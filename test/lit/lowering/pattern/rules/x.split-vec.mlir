// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.split-vec"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.split-vec"}' 2>&1 | filecheck %s --check-prefix REFUSED

// split^m o asVector^n -> asVector^n o split^(m*n)

// CHECK: def matches(x) = asVector-4 o split-16(x)
func.func @matches(%x: !pattern.array<16*N, i32>) -> !pattern.array<N, 4, vector<4xi32>> {
  %v = pattern.as_vector %x by 4 : !pattern.array<4*N, vector<4xi32>>
  %r = pattern.split %v by 4 : !pattern.array<N, 4, vector<4xi32>>
  func.return %r : !pattern.array<N, 4, vector<4xi32>>
}

// asVector acts on the innermost dimension, split on the outermost.
// REFUSED: <steps>:1:1: error: x.split-vec does not apply at @: split: the array has several dimensions; asVector acts on the innermost one
func.func @refuses(%x: !pattern.array<2*N, 8, i32>) -> !pattern.array<N, 2, 2, vector<4xi32>> {
  %v = pattern.as_vector %x by 4 : !pattern.array<2*N, 2, vector<4xi32>>
  %r = pattern.split %v by 2 : !pattern.array<N, 2, 2, vector<4xi32>>
  func.return %r : !pattern.array<N, 2, 2, vector<4xi32>>
}
