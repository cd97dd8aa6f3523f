// a*A*x + b*y with a matrix A of M rows (the paper's Figure 5, line 8).
func.func @gemv(%A: !pattern.array<M, K, f32>, %x: !pattern.array<K, f32>, %y: !pattern.array<M, f32>, %a: f32, %b: f32) -> !pattern.array<M, f32> {
  %zero = arith.constant 0.0 : f32
  %rows = pattern.map %A as %row: !pattern.array<K, f32> {
    %xr = pattern.zip %x, %row : !pattern.array<K, tuple<f32, f32>>
    %products = pattern.map %xr as (%u: f32, %v: f32) {
      %s = arith.mulf %u, %v : f32
      pattern.yield %s : f32
    } : !pattern.array<K, f32>
    %dot = pattern.reduce %products init %zero as %p: f32, %q: f32 assoc comm {
      %s = arith.addf %p, %q : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    %scaled = pattern.map %dot as %e: f32 {
      %s = arith.mulf %a, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    pattern.yield %scaled : !pattern.array<1, f32>
  } : !pattern.array<M, 1, f32>
  %z = pattern.join %rows : !pattern.array<M, f32>
  %by = pattern.map %y as %e: f32 {
    %s = arith.mulf %b, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<M, f32>
  %zy = pattern.zip %z, %by : !pattern.array<M, tuple<f32, f32>>
  %sum = pattern.map %zy as (%u: f32, %v: f32) {
    %s = arith.addf %u, %v : f32
    pattern.yield %s : f32
  } : !pattern.array<M, f32>
  func.return %sum : !pattern.array<M, f32>
}
