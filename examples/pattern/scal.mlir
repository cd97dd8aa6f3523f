// A vector times a number (the paper's Figure 5, line 5).
func.func @scal(%a: f32, %x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  %y = pattern.map %x as %e: f32 {
    %s = arith.mulf %a, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  func.return %y : !pattern.array<N, f32>
}
