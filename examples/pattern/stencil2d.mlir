// Each point of a grid becomes the weighted sum of its 3x3 neighbourhood; over the edge lies the
// point at the edge.
func.func @stencil2d(%grid: !pattern.array<M, N, f32>, %weights: !pattern.array<9, f32>) -> !pattern.array<M, N, f32> {
  %zero = arith.constant 0.0 : f32
  %tall = pattern.pad %grid left 1 right 1 clamp : !pattern.array<M + 2, N, f32>
  %padded = pattern.map %tall as %row: !pattern.array<N, f32> {
    %wide = pattern.pad %row left 1 right 1 clamp : !pattern.array<N + 2, f32>
    pattern.yield %wide : !pattern.array<N + 2, f32>
  } : !pattern.array<M + 2, N + 2, f32>
  %bands = pattern.slide %padded size 3 step 1 : !pattern.array<M, 3, N + 2, f32>
  %result = pattern.map %bands as %band: !pattern.array<3, N + 2, f32> {
    %columns = pattern.map %band as %row: !pattern.array<N + 2, f32> {
      %windows = pattern.slide %row size 3 step 1 : !pattern.array<N, 3, f32>
      pattern.yield %windows : !pattern.array<N, 3, f32>
    } : !pattern.array<3, N, 3, f32>
    %windows = pattern.transpose %columns : !pattern.array<N, 3, 3, f32>
    %points = pattern.map %windows as %window: !pattern.array<3, 3, f32> {
      %flat = pattern.join %window : !pattern.array<9, f32>
      %pairs = pattern.zip %flat, %weights : !pattern.array<9, tuple<f32, f32>>
      %products = pattern.map %pairs as (%u: f32, %v: f32) {
        %s = arith.mulf %u, %v : f32
        pattern.yield %s : f32
      } : !pattern.array<9, f32>
      %sum = pattern.reduce %products init %zero as %a: f32, %b: f32 assoc comm {
        %s = arith.addf %a, %b : f32
        pattern.yield %s : f32
      } : !pattern.array<1, f32>
      pattern.yield %sum : !pattern.array<1, f32>
    } : !pattern.array<N, 1, f32>
    %line = pattern.join %points : !pattern.array<N, f32>
    pattern.yield %line : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return %result : !pattern.array<M, N, f32>
}
