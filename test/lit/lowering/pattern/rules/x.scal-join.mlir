// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.scal-join"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.scal-join"}' 2>&1 | filecheck %s --check-prefix REFUSED

// join o asScalar -> asScalar o join

// CHECK: def matches(x) = asScalar o join(x)
func.func @matches(%x: !pattern.array<N, 2, vector<4xi32>>) -> !pattern.array<8*N, i32> {
  %s = pattern.as_scalar %x : !pattern.array<N, 8, i32>
  %r = pattern.join %s : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: x.scal-join does not apply at @: join: expected an input made by as_scalar, got an argument
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<8*N, i32> {
  %r = pattern.join %x : !pattern.array<8*N, i32>
  func.return %r : !pattern.array<8*N, i32>
}
