// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.vec-join"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.vec-join"}' 2>&1 | filecheck %s --check-prefix REFUSED

// asVector^n o join -> join o asVector^n

// CHECK: def matches(x) = join o asVector-4(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<2*N, vector<4xi32>> {
  %j = pattern.join %x : !pattern.array<8*N, i32>
  %r = pattern.as_vector %j by 4 : !pattern.array<2*N, vector<4xi32>>
  func.return %r : !pattern.array<2*N, vector<4xi32>>
}

// REFUSED: <steps>:1:1: error: x.vec-join does not apply at @: as_vector: n = 4 does not divide the size 2
func.func @refuses(%x: !pattern.array<4*N, 2, i32>) -> !pattern.array<2*N, vector<4xi32>> {
  %j = pattern.join %x : !pattern.array<8*N, i32>
  %r = pattern.as_vector %j by 4 : !pattern.array<2*N, vector<4xi32>>
  func.return %r : !pattern.array<2*N, vector<4xi32>>
}
