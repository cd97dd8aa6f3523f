// The product of two matrices: the dot product of each row of A with each column of B.
func.func @matmul(%A: !pattern.array<M, K, f32>, %B: !pattern.array<K, N, f32>) -> !pattern.array<M, N, f32> {
  %zero = arith.constant 0.0 : f32
  %columns = pattern.transpose %B : !pattern.array<N, K, f32>
  %C = pattern.map %A as %row: !pattern.array<K, f32> {
    %entries = pattern.map %columns as %column: !pattern.array<K, f32> {
      %pairs = pattern.zip %row, %column : !pattern.array<K, tuple<f32, f32>>
      %products = pattern.map %pairs as (%u: f32, %v: f32) {
        %s = arith.mulf %u, %v : f32
        pattern.yield %s : f32
      } : !pattern.array<K, f32>
      %sum = pattern.reduce %products init %zero as %a: f32, %b: f32 assoc comm {
        %s = arith.addf %a, %b : f32
        pattern.yield %s : f32
      } : !pattern.array<1, f32>
      pattern.yield %sum : !pattern.array<1, f32>
    } : !pattern.array<N, 1, f32>
    %line = pattern.join %entries : !pattern.array<N, f32>
    pattern.yield %line : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return %C : !pattern.array<M, N, f32>
}
