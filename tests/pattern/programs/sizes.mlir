// Sizes that are variables.

func.func @rows(%x : !pattern.array<M, 64*N, f32>) -> !pattern.array<M, f32> {
  %z = arith.constant 0.0 : f32
  %g = pattern.map_global %x as %r : !pattern.array<64*N, f32> {
    %s = pattern.reduce_seq %r init %z as %acc : f32, %e : f32 {
      %t = arith.addf %acc, %e : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %s : !pattern.array<1, f32>
  } : !pattern.array<M, 1, f32>
  %j = pattern.join %g : !pattern.array<M, f32>
  func.return %j : !pattern.array<M, f32>
}

func.func @groups(%x : !pattern.array<N, f32>) -> !pattern.array<N, f32>
    attributes {pattern.sizes = [#pattern.size<N, divisible_by = 64>]} {
  %z = arith.constant 0.0 : f32
  %c = pattern.split %x by 64 : !pattern.array<N/64, 64, f32>
  %g = pattern.map_workgroup %c as %r : !pattern.array<64, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    %t = pattern.to_local %l : !pattern.array<64, f32>
    %rev = pattern.reorder_stride %t by 8 : !pattern.array<64, f32>
    %o = pattern.map_local %rev as %e : f32 {
      %s = arith.mulf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    pattern.yield %o : !pattern.array<64, f32>
  } : !pattern.array<N/64, 64, f32>
  %y = pattern.join %g : !pattern.array<N, f32>
  func.return %y : !pattern.array<N, f32>
}

func.func @strided(%x : !pattern.array<N, f32>) -> !pattern.array<N, f32>
    attributes {pattern.sizes = [#pattern.size<N, divisible_by = 32>]} {
  %r = pattern.reorder_stride %x by N/32 : !pattern.array<N, f32>
  %c = pattern.split %r by 32 : !pattern.array<N/32, 32, f32>
  %g = pattern.map_global %c as %v : !pattern.array<32, f32> {
    %l = pattern.map_seq %v as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<32, f32>
    pattern.yield %l : !pattern.array<32, f32>
  } : !pattern.array<N/32, 32, f32>
  %j = pattern.join %g : !pattern.array<N, f32>
  func.return %j : !pattern.array<N, f32>
}

func.func @padded_windows(%x : !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  %z = arith.constant 0.0 : f32
  %p = pattern.pad %x left 1 right 1 mirror : !pattern.array<N + 2, f32>
  %w = pattern.slide %p size 3 step 1 : !pattern.array<N, 3, f32>
  %g = pattern.map_global %w as %v : !pattern.array<3, f32> {
    %s = pattern.reduce_seq %v init %z as %acc : f32, %e : f32 {
      %t = arith.addf %acc, %e : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %s : !pattern.array<1, f32>
  } : !pattern.array<N, 1, f32>
  %y = pattern.join %g : !pattern.array<N, f32>
  func.return %y : !pattern.array<N, f32>
}

// A function for each of M rows in turn; the outer map has no work-items yet.
func.func @nested(%x : !pattern.array<M, N, f32>, %y : !pattern.array<N, f32>) -> !pattern.array<N, M, f32> {
  %t = pattern.map %x as %row : !pattern.array<N, f32> {
    %p = pattern.zip %row, %y : !pattern.array<N, tuple<f32, f32>>
    %m = pattern.map %p as (%a : f32, %b : f32) {
      %s = arith.mulf %a, %b : f32
      pattern.yield %s : f32
    } : !pattern.array<N, f32>
    pattern.yield %m : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  %u = pattern.transpose %t : !pattern.array<N, M, f32>
  func.return %u : !pattern.array<N, M, f32>
}
