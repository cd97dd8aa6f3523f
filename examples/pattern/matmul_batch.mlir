// The products of many pairs of matrices: the dot products of each row of A with each column of B.
func.func @matmul_batch(%As: !pattern.array<L, M, K, f32>, %Bs: !pattern.array<L, K, N, f32>) -> !pattern.array<L, M, N, f32> {
  %zero = arith.constant 0.0 : f32
  %both = pattern.zip %As, %Bs : !pattern.array<L, tuple<!pattern.array<M, K, f32>, !pattern.array<K, N, f32>>>
  %Cs = pattern.map %both as (%A: !pattern.array<M, K, f32>, %B: !pattern.array<K, N, f32>) {
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
    pattern.yield %C : !pattern.array<M, N, f32>
  } : !pattern.array<L, M, N, f32>
  func.return %Cs : !pattern.array<L, M, N, f32>
}
