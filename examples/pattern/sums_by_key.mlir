// The sum of the values of each key, and of a start value: keys are indices of the sums, in any order.
func.func @sums_by_key(%keys: !pattern.array<N, i32>, %values: !pattern.array<N, f32>, %start: !pattern.array<M, f32>) -> !pattern.array<M, f32> {
  %sums = pattern.scatter %values to %keys init %start as %old: f32, %new: f32 assoc comm {
    %s = arith.addf %old, %new : f32
    pattern.yield %s : f32
  } : !pattern.array<M, f32>
  func.return %sums : !pattern.array<M, f32>
}
