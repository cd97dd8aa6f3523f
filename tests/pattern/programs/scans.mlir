// Scans: in one work-item, of rows, of pairs, by groups, in private memory, cut.

func.func @inclusive(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  %zero = arith.constant 0.0 : f32
  %r = pattern.scan %x init %zero as %p: f32, %q: f32 assoc comm {
    %s = arith.addf %p, %q : f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  func.return %r : !pattern.array<N, f32>
}
func.func @exclusive(%x: !pattern.array<M, N, i32>, %z: i32) -> !pattern.array<M, N, i32> {
  %r = pattern.map %x as %row: !pattern.array<N, i32> {
    %t = pattern.scan %row init %z as %p: i32, %q: i32 exclusive assoc {
      %s = arith.addi %p, %q : i32
      pattern.yield %s : i32
    } : !pattern.array<N, i32>
    pattern.yield %t : !pattern.array<N, i32>
  } : !pattern.array<M, N, i32>
  func.return %r : !pattern.array<M, N, i32>
}
func.func @scan_of_rows(%x: !pattern.array<M, N, i32>, %z: !pattern.array<N, i32>) -> (!pattern.array<M, N, i32>, !pattern.array<M, N, i32>) {
  %r = pattern.scan %x init %z as %p: !pattern.array<N, i32>, %q: !pattern.array<N, i32> {
    %pq = pattern.zip %p, %q : !pattern.array<N, tuple<i32, i32>>
    %s = pattern.map %pq as (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      pattern.yield %c : i32
    } : !pattern.array<N, i32>
    pattern.yield %s : !pattern.array<N, i32>
  } : !pattern.array<M, N, i32>
  %e = pattern.scan %x init %z as %p: !pattern.array<N, i32>, %q: !pattern.array<N, i32> exclusive {
    %pq = pattern.zip %p, %q : !pattern.array<N, tuple<i32, i32>>
    %s = pattern.map %pq as (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      pattern.yield %c : i32
    } : !pattern.array<N, i32>
    pattern.yield %s : !pattern.array<N, i32>
  } : !pattern.array<M, N, i32>
  func.return %r, %e : !pattern.array<M, N, i32>, !pattern.array<M, N, i32>
}
func.func @scan_of_pairs(%x: !pattern.array<N, i32>, %y: !pattern.array<N, i32>) -> !pattern.array<N, tuple<i32, i32>> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %z = pattern.tuple %one, %zero : tuple<i32, i32>
  %xy = pattern.zip %x, %y : !pattern.array<N, tuple<i32, i32>>
  %r = pattern.scan %xy init %z as (%a: i32, %b: i32), (%c: i32, %d: i32) assoc {
    %ac = arith.muli %a, %c : i32
    %bc = arith.muli %b, %c : i32
    %bcd = arith.addi %bc, %d : i32
    pattern.yield %ac, %bcd : i32, i32
  } : !pattern.array<N, tuple<i32, i32>>
  func.return %r : !pattern.array<N, tuple<i32, i32>>
}

// A group scans each chunk in local memory, then one work-item of it all rows of the chunk.
func.func @scan_by_groups(%x: !pattern.array<4, 8, 16, i32>) -> !pattern.array<4, 8, 16, i32> {
  %zero = arith.constant 0 : i32
  %zeros = pattern.generate as %i: index {
    pattern.yield %zero : i32
  } : !pattern.array<16, i32>
  %r = pattern.map_workgroup %x as %chunk: !pattern.array<8, 16, i32> {
    %rows = pattern.map_local %chunk as %row: !pattern.array<16, i32> {
      %s = pattern.scan %row init %zero as %p: i32, %q: i32 assoc {
        %t = arith.addi %p, %q : i32
        pattern.yield %t : i32
      } : !pattern.array<16, i32>
      pattern.yield %s : !pattern.array<16, i32>
    } : !pattern.array<8, 16, i32>
    %local = pattern.to_local %rows : !pattern.array<8, 16, i32>
    %columns = pattern.scan %local init %zeros as %p: !pattern.array<16, i32>, %q: !pattern.array<16, i32> {
      %pq = pattern.zip %p, %q : !pattern.array<16, tuple<i32, i32>>
      %s = pattern.map_local %pq as (%a: i32, %b: i32) {
        %c = arith.addi %a, %b : i32
        pattern.yield %c : i32
      } : !pattern.array<16, i32>
      pattern.yield %s : !pattern.array<16, i32>
    } : !pattern.array<8, 16, i32>
    pattern.yield %columns : !pattern.array<8, 16, i32>
  } : !pattern.array<4, 8, 16, i32>
  func.return %r : !pattern.array<4, 8, 16, i32>
}

// In registers, side by side: the second scan reads what the first one wrote, from its end.
func.func @scan_in_registers(%x: !pattern.array<8, 4, 5, i32>, %z: i32) -> !pattern.array<8, 4, 5, i32> {
  %r = pattern.map_global %x as %rows: !pattern.array<4, 5, i32> {
    %m = pattern.map_seq %rows as %row: !pattern.array<5, i32> unroll {
      %s = pattern.scan %row init %z as %p: i32, %q: i32 exclusive {
        %t = arith.subi %p, %q : i32
        pattern.yield %t : i32
      } : !pattern.array<5, i32>
      %b = pattern.reorder_stride %s by 1 : !pattern.array<5, i32>
      %u = pattern.scan %b init %z as %p: i32, %q: i32 {
        %t = arith.maxsi %p, %q : i32
        pattern.yield %t : i32
      } : !pattern.array<5, i32>
      pattern.yield %u : !pattern.array<5, i32>
    } : !pattern.array<4, 5, i32>
    pattern.yield %m : !pattern.array<4, 5, i32>
  } : !pattern.array<8, 4, 5, i32>
  func.return %r : !pattern.array<8, 4, 5, i32>
}

// Of more elements than are written.
func.func @scan_taken(%x: !pattern.array<16, 3, i32>, %z: !pattern.array<3, i32>) -> !pattern.array<5, 3, i32> {
  %s = pattern.scan %x init %z as %p: !pattern.array<3, i32>, %q: !pattern.array<3, i32> {
    %pq = pattern.zip %p, %q : !pattern.array<3, tuple<i32, i32>>
    %s = pattern.map %pq as (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      pattern.yield %c : i32
    } : !pattern.array<3, i32>
    pattern.yield %s : !pattern.array<3, i32>
  } : !pattern.array<16, 3, i32>
  %t = pattern.take %s by 5 : !pattern.array<5, 3, i32>
  func.return %t : !pattern.array<5, 3, i32>
}

// Columns, written as rows.
func.func @scan_transposed(%x: !pattern.array<M, N, i32>, %z: i32) -> !pattern.array<M, N, i32> {
  %t = pattern.transpose %x : !pattern.array<N, M, i32>
  %s = pattern.map %t as %column: !pattern.array<M, i32> {
    %u = pattern.scan %column init %z as %p: i32, %q: i32 {
      %c = arith.addi %p, %q : i32
      pattern.yield %c : i32
    } : !pattern.array<M, i32>
    pattern.yield %u : !pattern.array<M, i32>
  } : !pattern.array<N, M, i32>
  %r = pattern.transpose %s : !pattern.array<M, N, i32>
  func.return %r : !pattern.array<M, N, i32>
}
