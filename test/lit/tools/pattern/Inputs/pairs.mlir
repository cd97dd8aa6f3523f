func.func @pairs(%x: !pattern.array<2*N, f32>, %a: f32) -> !pattern.array<N, f32> {
  %zero = arith.constant 0.0 : f32
  %pairs = pattern.split %x by 2 : !pattern.array<N, 2, f32>
  %sums = pattern.map %pairs as %pair: !pattern.array<2, f32> {
    %sum = pattern.reduce %pair init %zero as %p: f32, %q: f32 assoc comm {
      %s = arith.addf %p, %q : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    pattern.yield %sum : !pattern.array<1, f32>
  } : !pattern.array<N, 1, f32>
  %flat = pattern.join %sums : !pattern.array<N, f32>
  %scaled = pattern.map %flat as %e: f32 {
    %s = arith.mulf %e, %a : f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  func.return %scaled : !pattern.array<N, f32>
}
