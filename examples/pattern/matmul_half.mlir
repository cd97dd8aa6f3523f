// The product of two matrices of half precision, with sums in single precision.
func.func @matmul_half(%A: !pattern.array<M, K, f16>, %B: !pattern.array<K, N, f16>) -> !pattern.array<M, N, f32> {
  %zero = arith.constant 0.0 : f32
  %columns = pattern.transpose %B : !pattern.array<N, K, f16>
  %C = pattern.map %A as %row: !pattern.array<K, f16> {
    %entries = pattern.map %columns as %column: !pattern.array<K, f16> {
      %pairs = pattern.zip %row, %column : !pattern.array<K, tuple<f16, f16>>
      %products = pattern.map %pairs as (%u: f16, %v: f16) {
        %x = arith.extf %u : f16 to f32
        %y = arith.extf %v : f16 to f32
        %s = arith.mulf %x, %y : f32
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
