// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.mma"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.mma"}' 2>&1 | filecheck %s --check-prefix REFUSED

// at0 o reduce-seq(acc + p * q) -> mma, for 16 x 8 sums of f32 and products of f16

// CHECK: def matches(p, q, c) =
// CHECK-NEXT: xs = zip(p, q)
// CHECK-NEXT: mma(transpose o map(λ e,f: e)(xs), transpose o map(λ e,f: f)(xs), c)
func.func @matches(%p: !pattern.array<16*N, 16, f16>, %q: !pattern.array<16*N, 8, f16>, %c: !pattern.array<16, 8, f32>) -> !pattern.array<16, 8, f32> {
  %xs = pattern.zip %p, %q : !pattern.array<16*N, tuple<!pattern.array<16, f16>, !pattern.array<8, f16>>>
  %r = pattern.reduce_seq %xs init %c as %acc: !pattern.array<16, 8, f32>, (%a: !pattern.array<16, f16>, %b: !pattern.array<8, f16>) {
    %rows = pattern.zip %acc, %a : !pattern.array<16, tuple<!pattern.array<8, f32>, f16>>
    %sums = pattern.map %rows as (%row: !pattern.array<8, f32>, %u: f16) {
      %pairs = pattern.zip %row, %b : !pattern.array<8, tuple<f32, f16>>
      %line = pattern.map %pairs as (%s: f32, %v: f16) {
        %x = arith.extf %u : f16 to f32
        %y = arith.extf %v : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %t = arith.addf %s, %xy : f32
        pattern.yield %t : f32
      } : !pattern.array<8, f32>
      pattern.yield %line : !pattern.array<8, f32>
    } : !pattern.array<16, 8, f32>
    pattern.yield %sums : !pattern.array<16, 8, f32>
  } : !pattern.array<1, 16, 8, f32>
  %i = arith.constant 0 : index
  %d = pattern.at %r[%i] : !pattern.array<16, 8, f32>
  func.return %d : !pattern.array<16, 8, f32>
}

// REFUSED: <steps>:1:1: error: x.mma does not apply at @: at: expected a sum
func.func @refuses(%p: !pattern.array<16*N, 16, f16>, %q: !pattern.array<16*N, 8, f16>, %c: !pattern.array<16, 8, f32>) -> !pattern.array<16, 8, f32> {
  %xs = pattern.zip %p, %q : !pattern.array<16*N, tuple<!pattern.array<16, f16>, !pattern.array<8, f16>>>
  %r = pattern.reduce_seq %xs init %c as %acc: !pattern.array<16, 8, f32>, (%a: !pattern.array<16, f16>, %b: !pattern.array<8, f16>) {
    %rows = pattern.zip %acc, %a : !pattern.array<16, tuple<!pattern.array<8, f32>, f16>>
    %sums = pattern.map %rows as (%row: !pattern.array<8, f32>, %u: f16) {
      %pairs = pattern.zip %row, %b : !pattern.array<8, tuple<f32, f16>>
      %line = pattern.map %pairs as (%s: f32, %v: f16) {
        %x = arith.extf %u : f16 to f32
        %y = arith.extf %v : f16 to f32
        %xy = arith.mulf %x, %y : f32
        %t = arith.subf %s, %xy : f32
        pattern.yield %t : f32
      } : !pattern.array<8, f32>
      pattern.yield %line : !pattern.array<8, f32>
    } : !pattern.array<16, 8, f32>
    pattern.yield %sums : !pattern.array<16, 8, f32>
  } : !pattern.array<1, 16, 8, f32>
  %i = arith.constant 0 : index
  %d = pattern.at %r[%i] : !pattern.array<16, 8, f32>
  func.return %d : !pattern.array<16, 8, f32>
}
