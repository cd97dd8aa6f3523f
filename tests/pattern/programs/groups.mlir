// Work-groups with memory of their own: what one work-item leaves there, another one reads.

// Each group reverses its rows: element i is written by work-item i and read by another one.
func.func @neighbours(%x : !pattern.array<4, 64, f32>) -> !pattern.array<4, 62, f32> {
  %z = arith.constant 0.0 : f32
  %g = pattern.map_workgroup %x as %r : !pattern.array<64, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    %t = pattern.to_local %l : !pattern.array<64, f32>
    %w = pattern.slide %t size 3 step 1 : !pattern.array<62, 3, f32>
    %o = pattern.map_local %w as %v : !pattern.array<3, f32> {
      %s = pattern.reduce_seq %v init %z as %acc : f32, %e : f32 {
        %a = arith.addf %acc, %e : f32
        pattern.yield %a : f32
      } : !pattern.array<1, f32>
      pattern.yield %s : !pattern.array<1, f32>
    } : !pattern.array<62, 1, f32>
    %j = pattern.join %o : !pattern.array<62, f32>
    pattern.yield %j : !pattern.array<62, f32>
  } : !pattern.array<4, 62, f32>
  func.return %g : !pattern.array<4, 62, f32>
}

// Each work-item reads what it wrote itself: no barrier.
func.func @own(%x : !pattern.array<4, 64, f32>) -> !pattern.array<4, 64, f32> {
  %g = pattern.map_workgroup %x as %r : !pattern.array<64, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    %t = pattern.to_local %l : !pattern.array<64, f32>
    %o = pattern.map_local %t as %e : f32 {
      %s = arith.mulf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    pattern.yield %o : !pattern.array<64, f32>
  } : !pattern.array<4, 64, f32>
  func.return %g : !pattern.array<4, 64, f32>
}

// The same through global memory.
func.func @through_global(%x : !pattern.array<4, 64, f32>) -> !pattern.array<4, 64, f32> {
  %g = pattern.map_workgroup %x as %r : !pattern.array<64, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    %t = pattern.to_global %l : !pattern.array<64, f32>
    %rev = pattern.reorder_stride %t by 8 : !pattern.array<64, f32>
    %o = pattern.map_local %rev as %e : f32 {
      %s = arith.mulf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    pattern.yield %o : !pattern.array<64, f32>
  } : !pattern.array<4, 64, f32>
  func.return %g : !pattern.array<4, 64, f32>
}

// A tree: 128 partial sums become one in 7 steps, which need two local buffers.
func.func @tree(%x : !pattern.array<1024, f32>) -> !pattern.array<1, f32> {
  %z = arith.constant 0.0 : f32
  %c = pattern.split %x by 256 : !pattern.array<4, 256, f32>
  %g = pattern.map_workgroup %c as %chunk : !pattern.array<256, f32> {
    %r = pattern.reorder_stride %chunk by 128 : !pattern.array<256, f32>
    %s = pattern.split %r by 2 : !pattern.array<128, 2, f32>
    %l = pattern.map_local %s as %pair : !pattern.array<2, f32> {
      %a = pattern.reduce_seq %pair init %z as %acc : f32, %e : f32 {
        %t = arith.addf %acc, %e : f32
        pattern.yield %t : f32
      } : !pattern.array<1, f32>
      pattern.yield %a : !pattern.array<1, f32>
    } : !pattern.array<128, 1, f32>
    %j = pattern.join %l : !pattern.array<128, f32>
    %t = pattern.to_local %j : !pattern.array<128, f32>
    %i = pattern.iterate 7 %t size S as %v : !pattern.array<2*S, f32> {
      %p = pattern.split %v by 2 : !pattern.array<S, 2, f32>
      %m = pattern.map_local %p as %pair : !pattern.array<2, f32> {
        %a = pattern.reduce_seq %pair init %z as %acc : f32, %e : f32 {
          %u = arith.addf %acc, %e : f32
          pattern.yield %u : f32
        } : !pattern.array<1, f32>
        pattern.yield %a : !pattern.array<1, f32>
      } : !pattern.array<S, 1, f32>
      %k = pattern.join %m : !pattern.array<S, f32>
      %loc = pattern.to_local %k : !pattern.array<S, f32>
      pattern.yield %loc : !pattern.array<S, f32>
    } : !pattern.array<1, f32>
    %one = pattern.split %i by 1 : !pattern.array<1, 1, f32>
    %copy = pattern.map_local %one as %e : !pattern.array<1, f32> {
      %id = pattern.map_seq %e as %f : f32 {
        pattern.yield %f : f32
      } : !pattern.array<1, f32>
      pattern.yield %id : !pattern.array<1, f32>
    } : !pattern.array<1, 1, f32>
    %out = pattern.join %copy : !pattern.array<1, f32>
    %glob = pattern.to_global %out : !pattern.array<1, f32>
    pattern.yield %glob : !pattern.array<1, f32>
  } : !pattern.array<4, 1, f32>
  %p = pattern.join %g : !pattern.array<4, f32>
  %r = pattern.reduce_seq %p init %z as %acc : f32, %e : f32 {
    %t = arith.addf %acc, %e : f32
    pattern.yield %t : f32
  } : !pattern.array<1, f32>
  func.return %r : !pattern.array<1, f32>
}

// More groups' worth of tiles, one after the other: the tile is written again in each round.
func.func @tiles_in_turn(%x : !pattern.array<2, 3, 32, f32>) -> !pattern.array<2, 3, 32, f32> {
  %g = pattern.map_workgroup %x as %tiles : !pattern.array<3, 32, f32> {
    %q = pattern.map_seq %tiles as %r : !pattern.array<32, f32> {
      %l = pattern.map_local %r as %e : f32 {
        %s = arith.addf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<32, f32>
      %t = pattern.to_local %l : !pattern.array<32, f32>
      %rev = pattern.reorder_stride %t by 4 : !pattern.array<32, f32>
      %o = pattern.map_local %rev as %e : f32 {
        %s = arith.mulf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<32, f32>
      pattern.yield %o : !pattern.array<32, f32>
    } : !pattern.array<3, 32, f32>
    pattern.yield %q : !pattern.array<3, 32, f32>
  } : !pattern.array<2, 3, 32, f32>
  func.return %g : !pattern.array<2, 3, 32, f32>
}

// Two dimensions of work-items: rows of a tile are read as columns.
func.func @transposed_tile(%x : !pattern.array<3, 8, 8, f32>) -> !pattern.array<3, 8, 8, f32> {
  %g = pattern.map_workgroup %x as %tile : !pattern.array<8, 8, f32> {
    %l = pattern.map_local %tile as %row : !pattern.array<8, f32> dim 1 {
      %m = pattern.map_local %row as %e : f32 {
        %s = arith.addf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<8, f32>
      pattern.yield %m : !pattern.array<8, f32>
    } : !pattern.array<8, 8, f32>
    %t = pattern.to_local %l : !pattern.array<8, 8, f32>
    %u = pattern.transpose %t : !pattern.array<8, 8, f32>
    %o = pattern.map_local %u as %row : !pattern.array<8, f32> dim 1 {
      %m = pattern.map_local %row as %e : f32 {
        %s = arith.mulf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<8, f32>
      pattern.yield %m : !pattern.array<8, f32>
    } : !pattern.array<8, 8, f32>
    pattern.yield %o : !pattern.array<8, 8, f32>
  } : !pattern.array<3, 8, 8, f32>
  func.return %g : !pattern.array<3, 8, 8, f32>
}

// Each row of work-items exchanges elements, in rows that not all have: a barrier within a loop
// over rows, which all work-items must reach (five rows, four at once).
func.func @barrier_in_rows(%x : !pattern.array<2, 5, 16, f32>) -> !pattern.array<2, 5, 16, f32>
    attributes {pattern.ndrange = [[#pattern.nat<32>, #pattern.nat<16>], [#pattern.nat<4>, #pattern.nat<4>]]} {
  %g = pattern.map_workgroup %x as %tile : !pattern.array<5, 16, f32> {
    %o = pattern.map_local %tile as %row : !pattern.array<16, f32> dim 1 {
      %m = pattern.map_local %row as %e : f32 {
        %s = arith.addf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<16, f32>
      %t = pattern.to_local %m : !pattern.array<16, f32>
      %rev = pattern.reorder_stride %t by 4 : !pattern.array<16, f32>
      %n = pattern.map_local %rev as %e : f32 {
        %s = arith.mulf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<16, f32>
      pattern.yield %n : !pattern.array<16, f32>
    } : !pattern.array<5, 16, f32>
    pattern.yield %o : !pattern.array<5, 16, f32>
  } : !pattern.array<2, 5, 16, f32>
  func.return %g : !pattern.array<2, 5, 16, f32>
}

// A matrix product by tiles: the accumulators of a group are in local memory, as are its tiles.
func.func @matmul_tiled(%A : !pattern.array<16, 32, f32>, %B : !pattern.array<32, 16, f32>) -> !pattern.array<16, 16, f32> {
  %z = arith.constant 0.0 : f32
  %zeros = pattern.generate as %i : index {
    %row = pattern.generate as %j : index {
      pattern.yield %z : f32
    } : !pattern.array<8, f32>
    pattern.yield %row : !pattern.array<8, f32>
  } : !pattern.array<8, 8, f32>
  %As = pattern.split %A by 8 : !pattern.array<2, 8, 32, f32>
  %Bt = pattern.transpose %B : !pattern.array<16, 32, f32>
  %Bs = pattern.split %Bt by 8 : !pattern.array<2, 8, 32, f32>
  %C = pattern.map_workgroup %As as %rows : !pattern.array<8, 32, f32> dim 1 {
    %line = pattern.map_workgroup %Bs as %columns : !pattern.array<8, 32, f32> {
      %rt = pattern.transpose %rows : !pattern.array<32, 8, f32>
      %ct = pattern.transpose %columns : !pattern.array<32, 8, f32>
      %rk = pattern.split %rt by 4 : !pattern.array<8, 4, 8, f32>
      %ck = pattern.split %ct by 4 : !pattern.array<8, 4, 8, f32>
      %tiles = pattern.zip %rk, %ck : !pattern.array<8, tuple<!pattern.array<4, 8, f32>, !pattern.array<4, 8, f32>>>
      %acc = pattern.reduce_seq %tiles init %zeros as %c : !pattern.array<8, 8, f32>, (%a : !pattern.array<4, 8, f32>, %b : !pattern.array<4, 8, f32>) {
        %at = pattern.transpose %a : !pattern.array<8, 4, f32>
        %bt = pattern.transpose %b : !pattern.array<8, 4, f32>
        %ca = pattern.zip %c, %at : !pattern.array<8, tuple<!pattern.array<8, f32>, !pattern.array<4, f32>>>
        %next = pattern.map_local %ca as (%cr : !pattern.array<8, f32>, %ar : !pattern.array<4, f32>) dim 1 {
          %cb = pattern.zip %cr, %bt : !pattern.array<8, tuple<f32, !pattern.array<4, f32>>>
          %l = pattern.map_local %cb as (%c0 : f32, %br : !pattern.array<4, f32>) {
            %p = pattern.zip %ar, %br : !pattern.array<4, tuple<f32, f32>>
            %s = pattern.reduce_seq %p init %c0 as %u : f32, (%v : f32, %w : f32) {
              %m = arith.mulf %v, %w : f32
              %t = arith.addf %u, %m : f32
              pattern.yield %t : f32
            } : !pattern.array<1, f32>
            pattern.yield %s : !pattern.array<1, f32>
          } : !pattern.array<8, 1, f32>
          %j = pattern.join %l : !pattern.array<8, f32>
          pattern.yield %j : !pattern.array<8, f32>
        } : !pattern.array<8, 8, f32>
        pattern.yield %next : !pattern.array<8, 8, f32>
      } : !pattern.array<1, 8, 8, f32>
      %tile = pattern.join %acc : !pattern.array<8, 8, f32>
      pattern.yield %tile : !pattern.array<8, 8, f32>
    } : !pattern.array<2, 8, 8, f32>
    pattern.yield %line : !pattern.array<2, 8, 8, f32>
  } : !pattern.array<2, 2, 8, 8, f32>
  %q = pattern.map %C as %pair : !pattern.array<2, 8, 8, f32> {
    %t = pattern.transpose %pair : !pattern.array<8, 2, 8, f32>
    %u = pattern.map %t as %r : !pattern.array<2, 8, f32> {
      %j = pattern.join %r : !pattern.array<16, f32>
      pattern.yield %j : !pattern.array<16, f32>
    } : !pattern.array<8, 16, f32>
    pattern.yield %u : !pattern.array<8, 16, f32>
  } : !pattern.array<2, 8, 16, f32>
  %out = pattern.join %q : !pattern.array<16, 16, f32>
  func.return %out : !pattern.array<16, 16, f32>
}
