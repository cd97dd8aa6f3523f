// The mean of each element and the eight around it; beyond the border is what is at the border.
func.func @stencil(%x: !pattern.array<M, N, f32>) -> !pattern.array<M, N, f32> {
  %zero = arith.constant 0.0 : f32
  %ninth = arith.constant 0.1111111111 : f32
  %tall = pattern.pad %x left 1 right 1 clamp : !pattern.array<M + 2, N, f32>
  %rows = pattern.map %tall as %row: !pattern.array<N, f32> {
    %wide = pattern.pad %row left 1 right 1 clamp : !pattern.array<N + 2, f32>
    %triples = pattern.slide %wide size 3 step 1 : !pattern.array<N, 3, f32>
    pattern.yield %triples : !pattern.array<N, 3, f32>
  } : !pattern.array<M + 2, N, 3, f32>
  %bands = pattern.slide %rows size 3 step 1 : !pattern.array<M, 3, N, 3, f32>
  %means = pattern.map %bands as %band: !pattern.array<3, N, 3, f32> {
    %windows = pattern.transpose %band : !pattern.array<N, 3, 3, f32>
    %line = pattern.map %windows as %window: !pattern.array<3, 3, f32> {
      %nine = pattern.join %window : !pattern.array<9, f32>
      %sum = pattern.reduce %nine init %zero as %a: f32, %b: f32 assoc comm {
        %s = arith.addf %a, %b : f32
        pattern.yield %s : f32
      } : !pattern.array<1, f32>
      %mean = pattern.map %sum as %e: f32 {
        %m = arith.mulf %e, %ninth : f32
        pattern.yield %m : f32
      } : !pattern.array<1, f32>
      pattern.yield %mean : !pattern.array<1, f32>
    } : !pattern.array<N, 1, f32>
    %joined = pattern.join %line : !pattern.array<N, f32>
    pattern.yield %joined : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return %means : !pattern.array<M, N, f32>
}
