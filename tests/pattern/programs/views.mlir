// Patterns that only rearrange, in front of a map and behind it.

func.func @strided(%x : !pattern.array<512, f32>) -> !pattern.array<512, f32> {
  %r = pattern.reorder_stride %x by 64 : !pattern.array<512, f32>
  %c = pattern.split %r by 8 : !pattern.array<64, 8, f32>
  %g = pattern.map_global %c as %v : !pattern.array<8, f32> {
    %l = pattern.map_seq %v as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<8, f32>
    pattern.yield %l : !pattern.array<8, f32>
  } : !pattern.array<64, 8, f32>
  %j = pattern.join %g : !pattern.array<512, f32>
  %y = pattern.reorder_stride %j by 8 : !pattern.array<512, f32>
  func.return %y : !pattern.array<512, f32>
}

func.func @transposed_out(%x : !pattern.array<6, 10, f32>) -> !pattern.array<10, 6, f32> {
  %g = pattern.map_global %x as %r : !pattern.array<10, f32> {
    %l = pattern.map_seq %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<10, f32>
    pattern.yield %l : !pattern.array<10, f32>
  } : !pattern.array<6, 10, f32>
  %t = pattern.transpose %g : !pattern.array<10, 6, f32>
  func.return %t : !pattern.array<10, 6, f32>
}

func.func @windows(%x : !pattern.array<66, f32>) -> !pattern.array<64, f32> {
  %z = arith.constant 0.0 : f32
  %w = pattern.slide %x size 3 step 1 : !pattern.array<64, 3, f32>
  %g = pattern.map_global %w as %v : !pattern.array<3, f32> {
    %s = pattern.reduce_seq %v init %z as %acc : f32, %e : f32 {
      %t = arith.addf %acc, %e : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %s : !pattern.array<1, f32>
  } : !pattern.array<64, 1, f32>
  %y = pattern.join %g : !pattern.array<64, f32>
  func.return %y : !pattern.array<64, f32>
}

func.func @padded(%x : !pattern.array<20, f32>, %c : f32) -> !pattern.array<26, tuple<f32, f32, f32, f32>> {
  %p = pattern.pad %x left 2 right 4 clamp : !pattern.array<26, f32>
  %q = pattern.pad %x left 2 right 4 mirror : !pattern.array<26, f32>
  %r = pattern.pad %x left 2 right 4 wrap : !pattern.array<26, f32>
  %s = pattern.pad %x left 2 right 4 constant %c : !pattern.array<26, f32>
  %z = pattern.zip %p, %q, %r, %s : !pattern.array<26, tuple<f32, f32, f32, f32>>
  %y = pattern.map_global %z as (%a : f32, %b : f32, %d : f32, %e : f32) {
    pattern.yield %a, %b, %d, %e : f32, f32, f32, f32
  } : !pattern.array<26, tuple<f32, f32, f32, f32>>
  func.return %y : !pattern.array<26, tuple<f32, f32, f32, f32>>
}

// A five-point stencil: padding and windows in both dimensions.
func.func @stencil(%x : !pattern.array<8, 16, f32>) -> !pattern.array<8, 16, f32> {
  %z = arith.constant 0.0 : f32
  %rows = pattern.pad %x left 1 right 1 clamp : !pattern.array<10, 16, f32>
  %both = pattern.map %rows as %r : !pattern.array<16, f32> {
    %p = pattern.pad %r left 1 right 1 clamp : !pattern.array<18, f32>
    pattern.yield %p : !pattern.array<18, f32>
  } : !pattern.array<10, 18, f32>
  %w = pattern.slide %both size 3 step 1 : !pattern.array<8, 3, 18, f32>
  %y = pattern.map_global %w as %three : !pattern.array<3, 18, f32> dim 1 {
    %t = pattern.transpose %three : !pattern.array<18, 3, f32>
    %v = pattern.slide %t size 3 step 1 : !pattern.array<16, 3, 3, f32>
    %o = pattern.map_global %v as %n : !pattern.array<3, 3, f32> {
      %flat = pattern.join %n : !pattern.array<9, f32>
      %s = pattern.reduce_seq %flat init %z as %acc : f32, %e : f32 unroll {
        %a = arith.addf %acc, %e : f32
        pattern.yield %a : f32
      } : !pattern.array<1, f32>
      pattern.yield %s : !pattern.array<1, f32>
    } : !pattern.array<16, 1, f32>
    %line = pattern.join %o : !pattern.array<16, f32>
    pattern.yield %line : !pattern.array<16, f32>
  } : !pattern.array<8, 16, f32>
  func.return %y : !pattern.array<8, 16, f32>
}

func.func @gathered(%x : !pattern.array<32, f32>, %ids : !pattern.array<50, i32>) -> !pattern.array<50, f32> {
  %g = pattern.gather %x, %ids : !pattern.array<50, f32>
  %y = pattern.map_global %g as %e : f32 {
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<50, f32>
  func.return %y : !pattern.array<50, f32>
}

// Elements at ids that are data, four at a time: their vectors are put together.
func.func @gathered_vectors(%x : !pattern.array<32, f32>, %ids : !pattern.array<48, i32>) -> !pattern.array<48, f32> {
  %g = pattern.gather %x, %ids : !pattern.array<48, f32>
  %v = pattern.as_vector %g by 4 : !pattern.array<12, vector<4xf32>>
  %y = pattern.map_global %v as %e : vector<4xf32> {
    %s = arith.addf %e, %e : vector<4xf32>
    pattern.yield %s : vector<4xf32>
  } : !pattern.array<12, vector<4xf32>>
  %o = pattern.as_scalar %y : !pattern.array<48, f32>
  func.return %o : !pattern.array<48, f32>
}

func.func @at(%x : !pattern.array<32, f32>, %ids : !pattern.array<50, i32>) -> !pattern.array<50, f32> {
  %y = pattern.map_global %ids as %i : i32 {
    %e = pattern.at %x[%i] : f32
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<50, f32>
  func.return %y : !pattern.array<50, f32>
}

func.func @generated(%x : !pattern.array<40, f32>) -> !pattern.array<40, tuple<f32, i64>> {
  %n = pattern.generate as %i : index {
    %j = arith.index_cast %i : index to i64
    %k = arith.muli %j, %j : i64
    pattern.yield %k : i64
  } : !pattern.array<40, i64>
  %z = pattern.zip %x, %n : !pattern.array<40, tuple<f32, i64>>
  func.return %z : !pattern.array<40, tuple<f32, i64>>
}

func.func @vectors(%x : !pattern.array<128, f32>, %a : f32) -> !pattern.array<128, f32> {
  %v = pattern.as_vector %x by 4 : !pattern.array<32, vector<4xf32>>
  %y = pattern.map_global %v as %e : vector<4xf32> {
    %w = pattern.vect %e as %f : f32 {
      %one = arith.constant 1.0 : f32
      %s = arith.mulf %f, %a : f32
      %t = arith.addf %s, %one : f32
      pattern.yield %t : f32
    } : vector<4xf32>
    pattern.yield %w : vector<4xf32>
  } : !pattern.array<32, vector<4xf32>>
  %o = pattern.as_scalar %y : !pattern.array<128, f32>
  func.return %o : !pattern.array<128, f32>
}

// Rows that start anywhere: vectors that do not lie at multiples of their size, and columns.
func.func @vectors_of_windows(%x : !pattern.array<35, f32>) -> !pattern.array<32, 4, f32> {
  %w = pattern.slide %x size 4 step 1 : !pattern.array<32, 4, f32>
  %v = pattern.as_vector %w by 4 : !pattern.array<32, 1, vector<4xf32>>
  %y = pattern.map_global %v as %r : !pattern.array<1, vector<4xf32>> {
    %m = pattern.map_seq %r as %e : vector<4xf32> {
      %s = arith.addf %e, %e : vector<4xf32>
      pattern.yield %s : vector<4xf32>
    } : !pattern.array<1, vector<4xf32>>
    pattern.yield %m : !pattern.array<1, vector<4xf32>>
  } : !pattern.array<32, 1, vector<4xf32>>
  %o = pattern.as_scalar %y : !pattern.array<32, 4, f32>
  func.return %o : !pattern.array<32, 4, f32>
}

func.func @vectors_of_columns(%x : !pattern.array<8, 8, f32>) -> !pattern.array<8, 8, f32> {
  %t = pattern.transpose %x : !pattern.array<8, 8, f32>
  %v = pattern.as_vector %t by 4 : !pattern.array<8, 2, vector<4xf32>>
  %y = pattern.map_global %v as %r : !pattern.array<2, vector<4xf32>> {
    %m = pattern.map_seq %r as %e : vector<4xf32> {
      %s = arith.addf %e, %e : vector<4xf32>
      pattern.yield %s : vector<4xf32>
    } : !pattern.array<2, vector<4xf32>>
    pattern.yield %m : !pattern.array<2, vector<4xf32>>
  } : !pattern.array<8, 2, vector<4xf32>>
  %o = pattern.as_scalar %y : !pattern.array<8, 8, f32>
  %u = pattern.transpose %o : !pattern.array<8, 8, f32>
  func.return %u : !pattern.array<8, 8, f32>
}
