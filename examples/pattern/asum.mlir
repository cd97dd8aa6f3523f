// The sum of absolute values (the paper's Figure 5, line 6).
func.func @asum(%x: !pattern.array<N, f32>) -> !pattern.array<1, f32> {
  %zero = arith.constant 0.0 : f32
  %abs = pattern.map %x as %e: f32 {
    %s = math.absf %e : f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  %sum = pattern.reduce %abs init %zero as %p: f32, %q: f32 assoc comm {
    %s = arith.addf %p, %q : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %sum : !pattern.array<1, f32>
}
