// Scatters: sums by key, a histogram, the last one of each key, rows, in each row.

func.func @by_key(%x: !pattern.array<2*N, i32>, %ids: !pattern.array<2*N, i32>, %start: !pattern.array<32, i32>) -> !pattern.array<32, i32> {
  %r = pattern.scatter %x to %ids init %start as %old: i32, %new: i32 assoc comm {
    %s = arith.addi %old, %new : i32
    pattern.yield %s : i32
  } : !pattern.array<32, i32>
  func.return %r : !pattern.array<32, i32>
}
func.func @histogram(%ids: !pattern.array<N, i32>) -> !pattern.array<256, i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = pattern.generate as %i: index {
    pattern.yield %one : i32
  } : !pattern.array<N, i32>
  %zeros = pattern.generate as %i: index {
    pattern.yield %zero : i32
  } : !pattern.array<256, i32>
  %r = pattern.scatter %ones to %ids init %zeros as %old: i32, %new: i32 assoc comm {
    %s = arith.addi %old, %new : i32
    pattern.yield %s : i32
  } : !pattern.array<256, i32>
  func.return %r : !pattern.array<256, i32>
}
func.func @last(%x: !pattern.array<N, i32>, %ids: !pattern.array<N, index>, %start: !pattern.array<32, i32>) -> !pattern.array<32, i32> {
  %r = pattern.scatter %x to %ids init %start as %old: i32, %new: i32 {
    pattern.yield %new : i32
  } : !pattern.array<32, i32>
  func.return %r : !pattern.array<32, i32>
}
func.func @rows_by_key(%x: !pattern.array<N, 3, i32>, %ids: !pattern.array<N, i32>, %start: !pattern.array<32, 3, i32>) -> !pattern.array<32, 3, i32> {
  %r = pattern.scatter %x to %ids init %start as %old: !pattern.array<3, i32>, %new: !pattern.array<3, i32> {
    %pq = pattern.zip %old, %new : !pattern.array<3, tuple<i32, i32>>
    %s = pattern.map %pq as (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      pattern.yield %c : i32
    } : !pattern.array<3, i32>
    pattern.yield %s : !pattern.array<3, i32>
  } : !pattern.array<32, 3, i32>
  func.return %r : !pattern.array<32, 3, i32>
}
func.func @in_each_row(%x: !pattern.array<M, N, i32>, %ids: !pattern.array<M, N, i32>) -> !pattern.array<M, 20, i32> {
  %zero = arith.constant 0 : i32
  %zeros = pattern.generate as %i: index {
    pattern.yield %zero : i32
  } : !pattern.array<20, i32>
  %z = pattern.zip %x, %ids : !pattern.array<M, tuple<!pattern.array<N, i32>, !pattern.array<N, i32>>>
  %m = pattern.map %z as (%xs: !pattern.array<N, i32>, %js: !pattern.array<N, i32>) {
    %r = pattern.scatter %xs to %js init %zeros as %old: i32, %new: i32 assoc comm {
      %s = arith.addi %old, %new : i32
      pattern.yield %s : i32
    } : !pattern.array<20, i32>
    pattern.yield %r : !pattern.array<20, i32>
  } : !pattern.array<M, 20, i32>
  func.return %m : !pattern.array<M, 20, i32>
}

// The function reads the old row in another order than it writes the new one.
func.func @turned_rows(%x: !pattern.array<N, 3, i32>, %ids: !pattern.array<N, i32>, %start: !pattern.array<32, 3, i32>) -> !pattern.array<32, 3, i32> {
  %r = pattern.scatter %x to %ids init %start as %old: !pattern.array<3, i32>, %new: !pattern.array<3, i32> {
    %turned = pattern.pad %old left 1 right 0 wrap : !pattern.array<4, i32>
    %first = pattern.take %turned by 3 : !pattern.array<3, i32>
    %pq = pattern.zip %first, %new : !pattern.array<3, tuple<i32, i32>>
    %s = pattern.map %pq as (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      pattern.yield %c : i32
    } : !pattern.array<3, i32>
    pattern.yield %s : !pattern.array<3, i32>
  } : !pattern.array<32, 3, i32>
  func.return %r : !pattern.array<32, 3, i32>
}

// The work-items of a group combine the numbers of a row.
func.func @scatter_by_groups(%x: !pattern.array<4, 12, 16, i32>, %ids: !pattern.array<12, i32>) -> !pattern.array<4, 20, 16, i32> {
  %zero = arith.constant 0 : i32
  %zeros = pattern.generate as %i: index {
    %row = pattern.generate as %j: index {
      pattern.yield %zero : i32
    } : !pattern.array<16, i32>
    pattern.yield %row : !pattern.array<16, i32>
  } : !pattern.array<20, 16, i32>
  %r = pattern.map_workgroup %x as %rows: !pattern.array<12, 16, i32> {
    %s = pattern.scatter %rows to %ids init %zeros as %old: !pattern.array<16, i32>, %new: !pattern.array<16, i32> {
      %wrapped = pattern.pad %old left 3 right 0 wrap : !pattern.array<19, i32>
      %turned = pattern.take %wrapped by 16 : !pattern.array<16, i32>
      %pairs = pattern.zip %turned, %new : !pattern.array<16, tuple<i32, i32>>
      %sums = pattern.map_local %pairs as (%a: i32, %b: i32) {
        %c = arith.addi %a, %b : i32
        pattern.yield %c : i32
      } : !pattern.array<16, i32>
      pattern.yield %sums : !pattern.array<16, i32>
    } : !pattern.array<20, 16, i32>
    pattern.yield %s : !pattern.array<20, 16, i32>
  } : !pattern.array<4, 20, 16, i32>
  func.return %r : !pattern.array<4, 20, 16, i32>
}

// A scan that only a scatter reads has no array. Positions are at most 2*N: each row has that many places.
func.func @scans_for_a_scatter(%x: !pattern.array<M, N, i32>) -> (!pattern.array<M, 2*N, i32>, !pattern.array<M, 2*N, i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = pattern.tuple %zero, %zero : tuple<i32, i32>
  %nothing = pattern.generate as %i: index {
    pattern.yield %start : tuple<i32, i32>
  } : !pattern.array<2*N, tuple<i32, i32>>
  %m = pattern.map %x as %row: !pattern.array<N, i32> {
    %places = pattern.scan %row init %zero as %p: i32, %e: i32 exclusive {
      %odd = arith.andi %e, %one : i32
      %step = arith.addi %odd, %one : i32
      %s = arith.addi %p, %step : i32
      pattern.yield %s : i32
    } : !pattern.array<N, i32>
    %twice = pattern.zip %row, %row : !pattern.array<N, tuple<i32, i32>>
    %sums = pattern.scan %twice init %start as (%a: i32, %b: i32), (%c: i32, %d: i32) {
      %s = arith.addi %a, %c : i32
      %t = arith.subi %b, %d : i32
      pattern.yield %s, %t : i32, i32
    } : !pattern.array<N, tuple<i32, i32>>
    %more = pattern.map %sums as (%s: i32, %t: i32) {
      %u = arith.muli %s, %t : i32
      pattern.yield %s, %u : i32, i32
    } : !pattern.array<N, tuple<i32, i32>>
    %r = pattern.scatter %more to %places init %nothing as (%a: i32, %b: i32), (%c: i32, %d: i32) {
      %s = arith.addi %a, %c : i32
      pattern.yield %s, %d : i32, i32
    } : !pattern.array<2*N, tuple<i32, i32>>
    pattern.yield %r : !pattern.array<2*N, tuple<i32, i32>>
  } : !pattern.array<M, 2*N, tuple<i32, i32>>
  %rows = pattern.map %m as %row: !pattern.array<2*N, tuple<i32, i32>> {
    %u, %v = pattern.unzip %row : !pattern.array<2*N, i32>, !pattern.array<2*N, i32>
    pattern.yield %u : !pattern.array<2*N, i32>
  } : !pattern.array<M, 2*N, i32>
  %others = pattern.map %m as %row: !pattern.array<2*N, tuple<i32, i32>> {
    %u, %v = pattern.unzip %row : !pattern.array<2*N, i32>, !pattern.array<2*N, i32>
    pattern.yield %v : !pattern.array<2*N, i32>
  } : !pattern.array<M, 2*N, i32>
  func.return %rows, %others : !pattern.array<M, 2*N, i32>, !pattern.array<M, 2*N, i32>
}

// A scan that something else reads, too, is an array: what else the scatter reads of it is not element i.
func.func @scan_that_is_read_twice(%x: !pattern.array<N, i32>) -> (!pattern.array<N, i32>, !pattern.array<1, i32>) {
  %zero = arith.constant 0 : i32
  %sums = pattern.scan %x init %zero as %p: i32, %e: i32 {
    %s = arith.addi %p, %e : i32
    pattern.yield %s : i32
  } : !pattern.array<N, i32>
  %ids = pattern.generate as %i: index {
    pattern.yield %i : index
  } : !pattern.array<N, index>
  %r = pattern.scatter %sums to %ids init %sums as %old: i32, %new: i32 {
    %s = arith.subi %old, %new : i32
    %t = arith.addi %s, %new : i32
    pattern.yield %t : i32
  } : !pattern.array<N, i32>
  %most = pattern.reduce %sums init %zero as %p: i32, %q: i32 assoc comm {
    %s = arith.maxsi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r, %most : !pattern.array<N, i32>, !pattern.array<1, i32>
}
