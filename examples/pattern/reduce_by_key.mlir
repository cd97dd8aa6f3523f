// Sums of runs of equal keys: the key of each run, its sum, and the number of runs. The results have
// N elements: after those of the runs, the keys are those of the input, and the sums are 0.
//
// One scan has the number of each element's run and the sum so far of the run: both begin anew where
// the key is not the one before it. The last sum of a run is the one that stays, and the last number
// of a run is that of all runs but one.
func.func @reduce_by_key(%keys: !pattern.array<N, i32>, %values: !pattern.array<N, i32>) -> (!pattern.array<N, i32>, !pattern.array<N, i32>, !pattern.array<1, i32>) {
  %none = arith.constant -1 : index
  %no_run = arith.constant 0 : index
  %one_run = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = pattern.tuple %zero, %none, %zero : tuple<i32, index, i32>
  %indices = pattern.generate as %i: index {
    pattern.yield %i : index
  } : !pattern.array<N, index>
  %all = pattern.zip %keys, %indices, %values : !pattern.array<N, tuple<i32, index, i32>>
  %elements = pattern.map %all as (%key: i32, %i: index, %value: i32) {
    %is_first = arith.cmpi eq, %i, %no_run : index
    %n = arith.select %is_first, %one_run, %no_run : index
    pattern.yield %key, %n, %value : i32, index, i32
  } : !pattern.array<N, tuple<i32, index, i32>>
  %scan = pattern.scan %elements init %start as (%last: i32, %run: index, %sum: i32), (%key: i32, %n: index, %value: i32) {
    %other = arith.cmpi ne, %key, %last : i32
    %is_first = arith.cmpi ne, %n, %no_run : index
    %is_start = arith.ori %other, %is_first : i1
    %more = arith.select %is_start, %one_run, %no_run : index
    %next = arith.addi %run, %more : index
    %old = arith.select %is_start, %zero, %sum : i32
    %new = arith.addi %old, %value : i32
    pattern.yield %key, %next, %new : i32, index, i32
  } : !pattern.array<N, tuple<i32, index, i32>>
  %its_key, %runs, %sums_so_far = pattern.unzip %scan : !pattern.array<N, i32>, !pattern.array<N, index>, !pattern.array<N, i32>

  %zeros = pattern.generate as %i: index {
    pattern.yield %zero : i32
  } : !pattern.array<N, i32>
  %unused = pattern.zip %keys, %zeros : !pattern.array<N, tuple<i32, i32>>
  %pairs = pattern.zip %its_key, %sums_so_far : !pattern.array<N, tuple<i32, i32>>
  %last = pattern.scatter %pairs to %runs init %unused as (%old_key: i32, %old_sum: i32), (%key: i32, %sum: i32) {
    pattern.yield %key, %sum : i32, i32
  } : !pattern.array<N, tuple<i32, i32>>
  %found, %sums = pattern.unzip %last : !pattern.array<N, i32>, !pattern.array<N, i32>

  %after_none = pattern.pad %runs left 1 right 0 constant %none : !pattern.array<N + 1, index>
  %final_run = pattern.drop %after_none by N : !pattern.array<1, index>
  %before_last = pattern.map %final_run as %run: index {
    %n = arith.index_cast %run : index to i32
    pattern.yield %n : i32
  } : !pattern.array<1, i32>
  %count = pattern.reduce %before_last init %one as %p: i32, %q: i32 assoc comm {
    %s = arith.addi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %found, %sums, %count : !pattern.array<N, i32>, !pattern.array<N, i32>, !pattern.array<1, i32>
}
