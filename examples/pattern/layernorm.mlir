// Each row less its mean, over its standard deviation; `part` is 1/K.
func.func @layernorm(%x: !pattern.array<M, K, f32>, %part: f32, %epsilon: f32) -> !pattern.array<M, K, f32> {
  %zero = arith.constant 0.0 : f32
  %origin = arith.constant 0 : index
  %rows = pattern.map %x as %row: !pattern.array<K, f32> {
    %sum = pattern.reduce %row init %zero as %a: f32, %b: f32 assoc comm {
      %s = arith.addf %a, %b : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    %centred = pattern.map %row as %e: f32 {
      %t = pattern.at %sum[%origin] : f32
      %mean = arith.mulf %t, %part : f32
      %s = arith.subf %e, %mean : f32
      pattern.yield %s : f32
    } : !pattern.array<K, f32>
    %squares = pattern.map %centred as %e: f32 {
      %s = arith.mulf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<K, f32>
    %total = pattern.reduce %squares init %zero as %a: f32, %b: f32 assoc comm {
      %s = arith.addf %a, %b : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    %result = pattern.map %centred as %e: f32 {
      %t = pattern.at %total[%origin] : f32
      %mean = arith.mulf %t, %part : f32
      %variance = arith.addf %mean, %epsilon : f32
      %scale = math.rsqrt %variance : f32
      %s = arith.mulf %e, %scale : f32
      pattern.yield %s : f32
    } : !pattern.array<K, f32>
    pattern.yield %result : !pattern.array<K, f32>
  } : !pattern.array<M, K, f32>
  func.return %rows : !pattern.array<M, K, f32>
}
