// The softmax of each row: exp(x - m) over its sum, where m is the largest element of the row.
func.func @softmax(%x: !pattern.array<M, K, f32>) -> !pattern.array<M, K, f32> {
  %least = arith.constant 0xff800000 : f32
  %zero = arith.constant 0.0 : f32
  %origin = arith.constant 0 : index
  %rows = pattern.map %x as %row: !pattern.array<K, f32> {
    %largest = pattern.reduce %row init %least as %a: f32, %b: f32 assoc comm {
      %s = arith.maximumf %a, %b : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    %powers = pattern.map %row as %e: f32 {
      %m = pattern.at %largest[%origin] : f32
      %d = arith.subf %e, %m : f32
      %s = math.exp %d : f32
      pattern.yield %s : f32
    } : !pattern.array<K, f32>
    %total = pattern.reduce %powers init %zero as %a: f32, %b: f32 assoc comm {
      %s = arith.addf %a, %b : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    %result = pattern.map %powers as %e: f32 {
      %t = pattern.at %total[%origin] : f32
      %s = arith.divf %e, %t : f32
      pattern.yield %s : f32
    } : !pattern.array<K, f32>
    pattern.yield %result : !pattern.array<K, f32>
  } : !pattern.array<M, K, f32>
  func.return %rows : !pattern.array<M, K, f32>
}
