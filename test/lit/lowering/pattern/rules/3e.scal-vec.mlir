// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="3e.scal-vec"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="3e.scal-vec"}' 2>&1 | filecheck %s --check-prefix REFUSED

// asScalar^n o asVector^n -> id

// CHECK: def matches(x) = x
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %v = pattern.as_vector %x by 4 : !pattern.array<2*N, vector<4xi32>>
  %r = pattern.as_scalar %v : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: 3e.scal-vec does not apply at @: as_scalar: expected an input made by as_vector, got an argument
func.func @refuses(%x: !pattern.array<N, vector<4xi32>>) -> !pattern.array<4*N, i32> {
  %r = pattern.as_scalar %x : !pattern.array<4*N, i32>
  func.return %r : !pattern.array<4*N, i32>
}
