// Sums of runs of equal keys: the key of each run, its sum, and the number of runs. The results have
// N elements: after those of the runs, the keys are those of the input, and the sums are 0.
//
// One scan has the number of each element's run and the sum so far of the run: both begin anew where
// the key is not the one before it. The last sum of a run is the one that stays.
func.func private @starts(%key: i32, %before: i32, %i: index) -> i1 {
  %first = arith.constant 0 : index
  %other = arith.cmpi ne, %key, %before : i32
  %is_first = arith.cmpi eq, %i, %first : index
  %is_start = arith.ori %other, %is_first : i1
  func.return %is_start : i1
}
func.func @reduce_by_key(%keys: !pattern.array<N, i32>, %values: !pattern.array<N, i32>) -> (!pattern.array<N, i32>, !pattern.array<N, i32>, !pattern.array<1, i32>) {
  %none = arith.constant -1 : index
  %no_run = arith.constant 0 : index
  %one_run = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = pattern.tuple %none, %zero : tuple<index, i32>
  %padded = pattern.pad %keys left 1 right 0 constant %zero : !pattern.array<N + 1, i32>
  %before = pattern.take %padded by N : !pattern.array<N, i32>
  %indices = pattern.generate as %i: index {
    pattern.yield %i : index
  } : !pattern.array<N, index>

  %all = pattern.zip %keys, %before, %indices, %values : !pattern.array<N, tuple<i32, i32, index, i32>>
  %elements = pattern.map %all as (%key: i32, %last: i32, %i: index, %value: i32) {
    %is_start = func.call @starts(%key, %last, %i) : (i32, i32, index) -> i1
    %n = arith.select %is_start, %one_run, %no_run : index
    pattern.yield %n, %value : index, i32
  } : !pattern.array<N, tuple<index, i32>>
  %scan = pattern.scan %elements init %start as (%run: index, %sum: i32), (%n: index, %value: i32) assoc {
    %next = arith.addi %run, %n : index
    %same = arith.cmpi eq, %n, %no_run : index
    %old = arith.select %same, %sum, %zero : i32
    %new = arith.addi %old, %value : i32
    pattern.yield %next, %new : index, i32
  } : !pattern.array<N, tuple<index, i32>>
  %runs, %sums_so_far = pattern.unzip %scan : !pattern.array<N, index>, !pattern.array<N, i32>

  %zeros = pattern.generate as %i: index {
    pattern.yield %zero : i32
  } : !pattern.array<N, i32>
  %unused = pattern.zip %keys, %zeros : !pattern.array<N, tuple<i32, i32>>
  %pairs = pattern.zip %keys, %sums_so_far : !pattern.array<N, tuple<i32, i32>>
  %last = pattern.scatter %pairs to %runs init %unused as (%old_key: i32, %old_sum: i32), (%key: i32, %sum: i32) {
    pattern.yield %key, %sum : i32, i32
  } : !pattern.array<N, tuple<i32, i32>>
  %found, %sums = pattern.unzip %last : !pattern.array<N, i32>, !pattern.array<N, i32>

  %again = pattern.zip %keys, %before, %indices : !pattern.array<N, tuple<i32, i32, index>>
  %flags = pattern.map %again as (%key: i32, %last_key: i32, %i: index) {
    %is_start = func.call @starts(%key, %last_key, %i) : (i32, i32, index) -> i1
    %n = arith.select %is_start, %one, %zero : i32
    pattern.yield %n : i32
  } : !pattern.array<N, i32>
  %count = pattern.reduce %flags init %zero as %p: i32, %q: i32 assoc comm {
    %s = arith.addi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %found, %sums, %count : !pattern.array<N, i32>, !pattern.array<N, i32>, !pattern.array<1, i32>
}
