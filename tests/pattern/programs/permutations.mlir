// Filters, sorts, and functions that are applied many times.

func.func @positive(%x: !pattern.array<N, f32>) -> (!pattern.array<N, f32>, !pattern.array<1, index>) {
  %zero = arith.constant 0.0 : f32
  %y, %n = pattern.filter %x as %e: f32 {
    %p = arith.cmpf ogt, %e, %zero : f32
    pattern.yield %p : i1
  } : !pattern.array<N, f32>, !pattern.array<1, index>
  func.return %y, %n : !pattern.array<N, f32>, !pattern.array<1, index>
}
func.func @sorted(%x: !pattern.array<N, i32>) -> !pattern.array<N, i32> {
  %y = pattern.sort %x as %a: i32, %b: i32 {
    %p = arith.cmpi slt, %a, %b : i32
    pattern.yield %p : i1
  } : !pattern.array<N, i32>
  func.return %y : !pattern.array<N, i32>
}
func.func @sorted_by_key(%x: !pattern.array<N, i32>, %v: !pattern.array<N, f32>) -> !pattern.array<N, tuple<i32, f32>> {
  %xv = pattern.zip %x, %v : !pattern.array<N, tuple<i32, f32>>
  %y = pattern.sort %xv as (%a: i32, %va: f32), (%b: i32, %vb: f32) {
    %p = arith.cmpi slt, %a, %b : i32
    pattern.yield %p : i1
  } : !pattern.array<N, tuple<i32, f32>>
  func.return %y : !pattern.array<N, tuple<i32, f32>>
}
func.func @sorted_rows(%x: !pattern.array<M, N, f32>) -> !pattern.array<M, N, f32> {
  %r = pattern.map %x as %row: !pattern.array<N, f32> {
    %y = pattern.sort %row as %a: f32, %b: f32 {
      %p = arith.cmpf olt, %a, %b : f32
      pattern.yield %p : i1
    } : !pattern.array<N, f32>
    pattern.yield %y : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return %r : !pattern.array<M, N, f32>
}
func.func @sorted_by_first(%x: !pattern.array<M, 3, i32>) -> !pattern.array<M, 3, i32> {
  %c0 = arith.constant 0 : index
  %y = pattern.sort %x as %a: !pattern.array<3, i32>, %b: !pattern.array<3, i32> {
    %u = pattern.at %a[%c0] : i32
    %v = pattern.at %b[%c0] : i32
    %p = arith.cmpi slt, %u, %v : i32
    pattern.yield %p : i1
  } : !pattern.array<M, 3, i32>
  func.return %y : !pattern.array<M, 3, i32>
}
func.func @filtered_rows(%x: !pattern.array<M, N, i32>) -> !pattern.array<M, N, i32> {
  %c0 = arith.constant 0 : i32
  %r = pattern.map %x as %row: !pattern.array<N, i32> {
    %y, %n = pattern.filter %row as %a: i32 {
      %p = arith.cmpi slt, %a, %c0 : i32
      pattern.yield %p : i1
    } : !pattern.array<N, i32>, !pattern.array<1, index>
    pattern.yield %y : !pattern.array<N, i32>
  } : !pattern.array<M, N, i32>
  func.return %r : !pattern.array<M, N, i32>
}
func.func @repeated(%x: !pattern.array<N, i32>, %m: !pattern.array<M, i32>) -> !pattern.array<N, i32> {
  %y = pattern.iterate 3*M + 1 %x as %v: !pattern.array<N, i32>, %i: index {
    %k = arith.index_cast %i : index to i32
    %w = pattern.map %v as %e: i32 {
      %t = arith.muli %e, %k : i32
      %u = arith.addi %t, %e : i32
      %s = arith.xori %u, %k : i32
      pattern.yield %s : i32
    } : !pattern.array<N, i32>
    %p = pattern.pad %w left 1 right 0 wrap : !pattern.array<N + 1, i32>
    %q = pattern.take %p by N : !pattern.array<N, i32>
    pattern.yield %q : !pattern.array<N, i32>
  } : !pattern.array<N, i32>
  func.return %y : !pattern.array<N, i32>
}

// In one work-item, and by the work-items of a group.
func.func @repeated_rows(%x: !pattern.array<6, 16, i32>) -> !pattern.array<6, 16, i32> {
  %r = pattern.map_workgroup %x as %row: !pattern.array<16, i32> {
    %y = pattern.iterate 11 %row as %v: !pattern.array<16, i32>, %i: index {
      %k = arith.index_cast %i : index to i32
      %p = pattern.pad %v left 0 right 1 wrap : !pattern.array<17, i32>
      %d = pattern.drop %p by 1 : !pattern.array<16, i32>
      %vd = pattern.zip %v, %d : !pattern.array<16, tuple<i32, i32>>
      %m = pattern.map_local %vd as (%a: i32, %b: i32) {
        %c = arith.subi %a, %b : i32
        %e = arith.addi %c, %k : i32
        pattern.yield %e : i32
      } : !pattern.array<16, i32>
      %l = pattern.to_local %m : !pattern.array<16, i32>
      pattern.yield %l : !pattern.array<16, i32>
    } : !pattern.array<16, i32>
    %z = pattern.map_local %y as %e: i32 {
      pattern.yield %e : i32
    } : !pattern.array<16, i32>
    pattern.yield %z : !pattern.array<16, i32>
  } : !pattern.array<6, 16, i32>
  func.return %r : !pattern.array<6, 16, i32>
}

// One work-item of each group filters and sorts; all of them compute before and after.
func.func @sorted_by_groups(%x: !pattern.array<4, 16, i32>) -> !pattern.array<4, 16, i32> {
  %ten = arith.constant 10 : i32
  %r = pattern.map_workgroup %x as %row: !pattern.array<16, i32> {
    %m = pattern.map_local %row as %e: i32 {
      %t = arith.subi %ten, %e : i32
      pattern.yield %t : i32
    } : !pattern.array<16, i32>
    %l = pattern.to_local %m : !pattern.array<16, i32>
    %s = pattern.sort %l as %a: i32, %b: i32 {
      %p = arith.cmpi slt, %a, %b : i32
      pattern.yield %p : i1
    } : !pattern.array<16, i32>
    %y, %n = pattern.filter %s as %a: i32 {
      %q = arith.remsi %a, %ten : i32
      %p = arith.cmpi slt, %q, %ten : i32
      pattern.yield %p : i1
    } : !pattern.array<16, i32>, !pattern.array<1, index>
    %z = pattern.map_local %y as %e: i32 {
      %t = arith.muli %e, %ten : i32
      pattern.yield %t : i32
    } : !pattern.array<16, i32>
    pattern.yield %z : !pattern.array<16, i32>
  } : !pattern.array<4, 16, i32>
  func.return %r : !pattern.array<4, 16, i32>
}
