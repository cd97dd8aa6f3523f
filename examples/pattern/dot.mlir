// The dot product of two vectors (the paper's Figure 5, line 7).
func.func @dot(%x: !pattern.array<N, f32>, %y: !pattern.array<N, f32>) -> !pattern.array<1, f32> {
  %zero = arith.constant 0.0 : f32
  %xy = pattern.zip %x, %y : !pattern.array<N, tuple<f32, f32>>
  %products = pattern.map %xy as (%u: f32, %v: f32) {
    %s = arith.mulf %u, %v : f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  %sum = pattern.reduce %products init %zero as %p: f32, %q: f32 assoc comm {
    %s = arith.addf %p, %q : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %sum : !pattern.array<1, f32>
}
