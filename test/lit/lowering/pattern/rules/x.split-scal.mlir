// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.split-scal"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.split-scal"}' 2>&1 | filecheck %s --check-prefix REFUSED

// split^m o asScalar^n -> asScalar^n o split^(m/n)

// CHECK: def matches(x) = asScalar o split-2(x)
func.func @matches(%x: !pattern.array<4*N, vector<4xi32>>) -> !pattern.array<2*N, 8, i32> {
  %s = pattern.as_scalar %x : !pattern.array<16*N, i32>
  %r = pattern.split %s by 8 : !pattern.array<2*N, 8, i32>
  func.return %r : !pattern.array<2*N, 8, i32>
}

// A vector cannot be in two chunks.
// REFUSED: <steps>:1:1: error: x.split-scal does not apply at @: split: n = 4 does not divide the size 2
func.func @refuses(%x: !pattern.array<4*N, vector<4xi32>>) -> !pattern.array<8*N, 2, i32> {
  %s = pattern.as_scalar %x : !pattern.array<16*N, i32>
  %r = pattern.split %s by 2 : !pattern.array<8*N, 2, i32>
  func.return %r : !pattern.array<8*N, 2, i32>
}
