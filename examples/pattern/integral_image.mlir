// The sum of all elements above and to the left: rows are scanned, then columns.
func.func @integral_image(%x: !pattern.array<M, N, i32>) -> !pattern.array<M, N, i32> {
  %zero = arith.constant 0 : i32
  %rows = pattern.map %x as %row: !pattern.array<N, i32> {
    %s = pattern.scan %row init %zero as %p: i32, %q: i32 assoc comm {
      %t = arith.addi %p, %q : i32
      pattern.yield %t : i32
    } : !pattern.array<N, i32>
    pattern.yield %s : !pattern.array<N, i32>
  } : !pattern.array<M, N, i32>
  %turned = pattern.transpose %rows : !pattern.array<N, M, i32>
  %columns = pattern.map %turned as %column: !pattern.array<M, i32> {
    %s = pattern.scan %column init %zero as %p: i32, %q: i32 assoc comm {
      %t = arith.addi %p, %q : i32
      pattern.yield %t : i32
    } : !pattern.array<M, i32>
    pattern.yield %s : !pattern.array<M, i32>
  } : !pattern.array<N, M, i32>
  %image = pattern.transpose %columns : !pattern.array<M, N, i32>
  func.return %image : !pattern.array<M, N, i32>
}
