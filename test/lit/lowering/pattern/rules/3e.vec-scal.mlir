// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3e.vec-scal"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3e.vec-scal"}' 2>&1 | filecheck %s --check-prefix REFUSED

// asVector^n o asScalar^n -> id, for the same n

// CHECK: def matches(x) = x
func.func @matches(%x: !pattern.array<N, vector<4xi32>>) -> !pattern.array<N, vector<4xi32>> {
  %s = pattern.as_scalar %x : !pattern.array<4*N, i32>
  %r = pattern.as_vector %s by 4 : !pattern.array<N, vector<4xi32>>
  func.return %r : !pattern.array<N, vector<4xi32>>
}

// REFUSED: <steps>:1:1: error: 3e.vec-scal does not apply at @: as_vector: asScalar takes !pattern.array<N, vector<4xi32>>, asVector makes !pattern.array<2*N, vector<2xi32>>
func.func @refuses(%x: !pattern.array<N, vector<4xi32>>) -> !pattern.array<2*N, vector<2xi32>> {
  %s = pattern.as_scalar %x : !pattern.array<4*N, i32>
  %r = pattern.as_vector %s by 2 : !pattern.array<2*N, vector<2xi32>>
  func.return %r : !pattern.array<2*N, vector<2xi32>>
}
