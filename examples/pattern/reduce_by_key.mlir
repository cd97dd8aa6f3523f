// Sums of runs of equal keys: the key of each run, its sum, and the number of runs. The results have
// N elements: after those of the runs, the keys are those of the input, and the sums are 0.
//
// The runs are numbered by a scan that adds 1 where a run starts. The values are scattered to sums.
func.func @reduce_by_key(%keys: !pattern.array<N, i32>, %values: !pattern.array<N, i32>) -> (!pattern.array<N, i32>, !pattern.array<N, i32>, !pattern.array<1, i32>) {
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.constant 0 : index
  %padded = pattern.pad %keys left 1 right 0 constant %none : !pattern.array<N + 1, i32>
  %before = pattern.take %padded by N : !pattern.array<N, i32>
  %indices = pattern.generate as %i: index {
    pattern.yield %i : index
  } : !pattern.array<N, index>
  %all = pattern.zip %keys, %before, %indices : !pattern.array<N, tuple<i32, i32, index>>
  %starts = pattern.map %all as (%key: i32, %last: i32, %i: index) {
    %other = arith.cmpi ne, %key, %last : i32
    %is_first = arith.cmpi eq, %i, %first : index
    %is_start = arith.ori %other, %is_first : i1
    %n = arith.select %is_start, %one, %zero : i32
    pattern.yield %n : i32
  } : !pattern.array<N, i32>
  %runs = pattern.scan %starts init %none as %p: i32, %q: i32 assoc comm {
    %s = arith.addi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<N, i32>
  %zeros = pattern.generate as %i: index {
    pattern.yield %zero : i32
  } : !pattern.array<N, i32>
  %sums = pattern.scatter %values to %runs init %zeros as %old: i32, %new: i32 assoc comm {
    %s = arith.addi %old, %new : i32
    pattern.yield %s : i32
  } : !pattern.array<N, i32>
  %found = pattern.scatter %keys to %runs init %keys as %old: i32, %new: i32 {
    pattern.yield %new : i32
  } : !pattern.array<N, i32>
  %greatest = pattern.reduce %runs init %none as %p: i32, %q: i32 assoc comm {
    %s = arith.maxsi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  %count = pattern.map %greatest as %m: i32 {
    %n = arith.addi %m, %one : i32
    pattern.yield %n : i32
  } : !pattern.array<1, i32>
  func.return %found, %sums, %count : !pattern.array<N, i32>, !pattern.array<N, i32>, !pattern.array<1, i32>
}
