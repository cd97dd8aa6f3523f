// Running sums: element i is the sum of x[0] to x[i].
func.func @scan(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  %zero = arith.constant 0.0 : f32
  %sums = pattern.scan %x init %zero as %p: f32, %q: f32 assoc comm {
    %s = arith.addf %p, %q : f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  func.return %sums : !pattern.array<N, f32>
}
