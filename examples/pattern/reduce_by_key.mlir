// The sums of runs of equal keys, first of all; the keys of those; and their number.
//
// A scan of pairs (key, sum) adds to the sum as long as the key is the same: this is associative for
// keys in order, and for any keys where equal ones are next to each other. The last pair of each run
// has its sum.
func.func @reduce_by_key(%keys: !pattern.array<N, i32>, %values: !pattern.array<N, i32>) -> (!pattern.array<N, tuple<i32, i32>>, !pattern.array<1, index>) {
  %none = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %start = pattern.tuple %none, %zero : tuple<i32, i32>
  %pairs = pattern.zip %keys, %values : !pattern.array<N, tuple<i32, i32>>
  %sums = pattern.scan %pairs init %start as (%k: i32, %s: i32), (%l: i32, %v: i32) assoc {
    %same = arith.cmpi eq, %k, %l : i32
    %more = arith.addi %s, %v : i32
    %sum = arith.select %same, %more, %v : i32
    pattern.yield %l, %sum : i32, i32
  } : !pattern.array<N, tuple<i32, i32>>
  %more = pattern.pad %keys left 0 right 1 constant %none : !pattern.array<N + 1, i32>
  %next = pattern.drop %more by 1 : !pattern.array<N, i32>
  %with_next = pattern.zip %sums, %next : !pattern.array<N, tuple<tuple<i32, i32>, i32>>
  %ends, %count = pattern.filter %with_next as (%run: tuple<i32, i32>, %n: i32) {
    %key = pattern.get %run[0] : i32
    %is_end = arith.cmpi ne, %key, %n : i32
    pattern.yield %is_end : i1
  } : !pattern.array<N, tuple<tuple<i32, i32>, i32>>, !pattern.array<1, index>
  %runs, %others = pattern.unzip %ends : !pattern.array<N, tuple<i32, i32>>, !pattern.array<N, i32>
  func.return %runs, %count : !pattern.array<N, tuple<i32, i32>>, !pattern.array<1, index>
}
