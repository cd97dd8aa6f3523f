// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.join-scal"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.join-scal"}' 2>&1 | filecheck %s --check-prefix REFUSED

// asScalar o join -> join o asScalar

// CHECK: def matches(x) = join o asScalar(x)
func.func @matches(%x: !pattern.array<N, 2, vector<4xi32>>) -> !pattern.array<8*N, i32> {
  %j = pattern.join %x : !pattern.array<2*N, vector<4xi32>>
  %r = pattern.as_scalar %j : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: x.join-scal does not apply at @: as_scalar: expected an input made by join, got an argument
func.func @refuses(%x: !pattern.array<N, 2, vector<4xi32>>) -> !pattern.array<N, 8, i32> {
  %r = pattern.as_scalar %x : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
