// Reductions: in one work-item, by groups, with several accumulators.

func.func @sum(%x : !pattern.array<100, f32>) -> !pattern.array<1, f32> {
  %z = arith.constant 0.0 : f32
  %r = pattern.reduce_seq %x init %z as %acc : f32, %e : f32 {
    %s = arith.addf %acc, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %r : !pattern.array<1, f32>
}

// Not mapped to anything: plain choices.
func.func @asum_high_level(%x : !pattern.array<100, f32>) -> !pattern.array<1, f32> {
  %z = arith.constant 0.0 : f32
  %a = pattern.map %x as %e : f32 {
    %s = math.absf %e : f32
    pattern.yield %s : f32
  } : !pattern.array<100, f32>
  %r = pattern.reduce %a init %z as %p : f32, %q : f32 assoc comm {
    %s = arith.addf %p, %q : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %r : !pattern.array<1, f32>
}

func.func @gemv_high_level(%A : !pattern.array<24, 32, f32>, %x : !pattern.array<32, f32>, %y : !pattern.array<24, f32>, %a : f32, %b : f32) -> !pattern.array<24, f32> {
  %z = arith.constant 0.0 : f32
  %t = pattern.map %A as %row : !pattern.array<32, f32> {
    %p = pattern.zip %x, %row : !pattern.array<32, tuple<f32, f32>>
    %m = pattern.map %p as (%u : f32, %v : f32) {
      %w = arith.mulf %u, %v : f32
      pattern.yield %w : f32
    } : !pattern.array<32, f32>
    %d = pattern.reduce %m init %z as %u : f32, %v : f32 assoc comm {
      %w = arith.addf %u, %v : f32
      pattern.yield %w : f32
    } : !pattern.array<1, f32>
    %s = pattern.map %d as %e : f32 {
      %w = arith.mulf %e, %a : f32
      pattern.yield %w : f32
    } : !pattern.array<1, f32>
    pattern.yield %s : !pattern.array<1, f32>
  } : !pattern.array<24, 1, f32>
  %j = pattern.join %t : !pattern.array<24, f32>
  %yb = pattern.map %y as %e : f32 {
    %w = arith.mulf %e, %b : f32
    pattern.yield %w : f32
  } : !pattern.array<24, f32>
  %zz = pattern.zip %j, %yb : !pattern.array<24, tuple<f32, f32>>
  %o = pattern.map %zz as (%u : f32, %v : f32) {
    %w = arith.addf %u, %v : f32
    pattern.yield %w : f32
  } : !pattern.array<24, f32>
  func.return %o : !pattern.array<24, f32>
}

func.func @partial(%x : !pattern.array<60, f32>) -> !pattern.array<1, f32> {
  %z = arith.constant 0.0 : f32
  %p = pattern.part_red %x init %z as %a : f32, %b : f32 assoc comm {
    %s = arith.addf %a, %b : f32
    pattern.yield %s : f32
  } : !pattern.array<12, f32>
  %r = pattern.reduce %p init %z as %a : f32, %b : f32 assoc comm {
    %s = arith.addf %a, %b : f32
    pattern.yield %s : f32
  } : !pattern.array<1, f32>
  func.return %r : !pattern.array<1, f32>
}

// Four vectors of 16 in flight: one loop with four accumulators. The CPU's asum and dot.
func.func @accumulators(%x : !pattern.array<4096, f32>) -> !pattern.array<1, f32> {
  %z = arith.constant 0.0 : f32
  %zv = arith.constant dense<0.0> : vector<16xf32>
  %c = pattern.split %x by 1024 : !pattern.array<4, 1024, f32>
  %g = pattern.map_workgroup %c as %chunk : !pattern.array<1024, f32> {
    %v = pattern.as_vector %chunk by 16 : !pattern.array<64, vector<16xf32>>
    %r = pattern.reorder_stride %v by 4 : !pattern.array<64, vector<16xf32>>
    %s = pattern.split %r by 16 : !pattern.array<4, 16, vector<16xf32>>
    %l = pattern.map_seq %s as %lane : !pattern.array<16, vector<16xf32>> unroll {
      %a = pattern.reduce_seq %lane init %zv as %acc : vector<16xf32>, %e : vector<16xf32> {
        %f = math.absf %e : vector<16xf32>
        %t = arith.addf %acc, %f : vector<16xf32>
        pattern.yield %t : vector<16xf32>
      } : !pattern.array<1, vector<16xf32>>
      pattern.yield %a : !pattern.array<1, vector<16xf32>>
    } : !pattern.array<4, 1, vector<16xf32>>
    %j = pattern.join %l : !pattern.array<4, vector<16xf32>>
    %b = pattern.reduce_seq %j init %zv as %acc : vector<16xf32>, %e : vector<16xf32> {
      %t = arith.addf %acc, %e : vector<16xf32>
      pattern.yield %t : vector<16xf32>
    } : !pattern.array<1, vector<16xf32>>
    %w = pattern.as_scalar %b : !pattern.array<16, f32>
    %one = pattern.reduce_seq %w init %z as %acc : f32, %e : f32 {
      %t = arith.addf %acc, %e : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %one : !pattern.array<1, f32>
  } : !pattern.array<4, 1, f32>
  %p = pattern.join %g : !pattern.array<4, f32>
  %r = pattern.reduce_seq %p init %z as %acc : f32, %e : f32 {
    %t = arith.addf %acc, %e : f32
    pattern.yield %t : f32
  } : !pattern.array<1, f32>
  func.return %r : !pattern.array<1, f32>
}

// The accumulator is a tuple: the least and the greatest element.
func.func @least_and_greatest(%x : !pattern.array<33, i32>) -> !pattern.array<1, tuple<i32, i32>> {
  %lo = arith.constant 1000000 : i32
  %hi = arith.constant -1000000 : i32
  %z = pattern.tuple %lo, %hi : tuple<i32, i32>
  %r = pattern.reduce_seq %x init %z as (%a : i32, %b : i32), %e : i32 {
    %c = arith.minsi %a, %e : i32
    %d = arith.maxsi %b, %e : i32
    pattern.yield %c, %d : i32, i32
  } : !pattern.array<1, tuple<i32, i32>>
  func.return %r : !pattern.array<1, tuple<i32, i32>>
}

// The accumulator is an array: sums of rows, one below the other.
func.func @sum_of_rows(%x : !pattern.array<10, 6, f32>) -> !pattern.array<1, 6, f32> {
  %z = pattern.generate as %i : index {
    %zero = arith.constant 0.0 : f32
    pattern.yield %zero : f32
  } : !pattern.array<6, f32>
  %r = pattern.reduce_seq %x init %z as %acc : !pattern.array<6, f32>, %row : !pattern.array<6, f32> {
    %p = pattern.zip %acc, %row : !pattern.array<6, tuple<f32, f32>>
    %s = pattern.map_seq %p as (%a : f32, %b : f32) {
      %t = arith.addf %a, %b : f32
      pattern.yield %t : f32
    } : !pattern.array<6, f32>
    pattern.yield %s : !pattern.array<6, f32>
  } : !pattern.array<1, 6, f32>
  func.return %r : !pattern.array<1, 6, f32>
}

// A matrix product: a work-item for each element.
func.func @matmul(%A : !pattern.array<12, 20, f32>, %B : !pattern.array<20, 16, f32>) -> !pattern.array<12, 16, f32> {
  %z = arith.constant 0.0 : f32
  %Bt = pattern.transpose %B : !pattern.array<16, 20, f32>
  %C = pattern.map_global %A as %row : !pattern.array<20, f32> dim 1 {
    %line = pattern.map_global %Bt as %column : !pattern.array<20, f32> {
      %p = pattern.zip %row, %column : !pattern.array<20, tuple<f32, f32>>
      %s = pattern.reduce_seq %p init %z as %acc : f32, (%a : f32, %b : f32) {
        %m = arith.mulf %a, %b : f32
        %t = arith.addf %acc, %m : f32
        pattern.yield %t : f32
      } : !pattern.array<1, f32>
      pattern.yield %s : !pattern.array<1, f32>
    } : !pattern.array<16, 1, f32>
    %j = pattern.join %line : !pattern.array<16, f32>
    pattern.yield %j : !pattern.array<16, f32>
  } : !pattern.array<12, 16, f32>
  func.return %C : !pattern.array<12, 16, f32>
}
