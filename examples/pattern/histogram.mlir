// How often each number below 256 is in x: ones are added to counts.
func.func @histogram(%x: !pattern.array<N, i32>) -> !pattern.array<256, i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = pattern.generate as %i: index {
    pattern.yield %one : i32
  } : !pattern.array<N, i32>
  %zeros = pattern.generate as %i: index {
    pattern.yield %zero : i32
  } : !pattern.array<256, i32>
  %counts = pattern.scatter %ones to %x init %zeros as %old: i32, %new: i32 assoc comm {
    %s = arith.addi %old, %new : i32
    pattern.yield %s : i32
  } : !pattern.array<256, i32>
  func.return %counts : !pattern.array<256, i32>
}
