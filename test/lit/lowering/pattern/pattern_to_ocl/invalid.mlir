// RUN: ocl-opt %s -p pattern-to-ocl --split-input-file --verify-diagnostics | filecheck %s

// What has no kernel is an error at its place.

// CHECK: its private memory has N elements; private memory needs a size that is a number
func.func @private(%x : !pattern.array<64, N, f32>) -> !pattern.array<64, N, f32> {
  %g = pattern.map_global %x as %r : !pattern.array<N, f32> {
    %a = pattern.map_seq %r as %e : f32 {
      %s = math.absf %e : f32
      pattern.yield %s : f32
    } : !pattern.array<N, f32>
    %b = pattern.map_seq %a as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<N, f32>
    pattern.yield %b : !pattern.array<N, f32>
  } : !pattern.array<64, N, f32>
  func.return %g : !pattern.array<64, N, f32>
}

// -----

// CHECK: cannot unroll
func.func @unroll(%x : !pattern.array<64, N, f32>) -> !pattern.array<64, N, f32> {
  %g = pattern.map_global %x as %r : !pattern.array<N, f32> {
    %a = pattern.map_seq %r as %e : f32 unroll {
      %s = math.absf %e : f32
      pattern.yield %s : f32
    } : !pattern.array<N, f32>
    pattern.yield %a : !pattern.array<N, f32>
  } : !pattern.array<64, N, f32>
  func.return %g : !pattern.array<64, N, f32>
}

// -----

// CHECK: pattern.inplace: the program reads element
func.func @inplace(%x : !pattern.array<64, f32>) -> !pattern.array<64, f32>
    attributes {pattern.inplace = 0 : i64} {
  %r = pattern.reorder_stride %x by 8 : !pattern.array<64, f32>
  %y = pattern.map_global %r as %e : f32 {
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<64, f32>
  func.return %y : !pattern.array<64, f32>
}

// -----

// CHECK: pattern.inplace = 1 : i64: expected the number of an argument of type
func.func @inplace_argument(%x : !pattern.array<64, f32>) -> !pattern.array<64, f32>
    attributes {pattern.inplace = 1 : i64} {
  %y = pattern.map_global %x as %e : f32 {
    pattern.yield %e : f32
  } : !pattern.array<64, f32>
  func.return %y : !pattern.array<64, f32>
}

// -----

// CHECK: pattern.ndrange = 64 : i64: expected for each dimension [work-items, local size]
func.func @hint(%x : !pattern.array<64, f32>) -> !pattern.array<64, f32>
    attributes {pattern.ndrange = 64 : i64} {
  %y = pattern.map_global %x as %e : f32 {
    pattern.yield %e : f32
  } : !pattern.array<64, f32>
  func.return %y : !pattern.array<64, f32>
}

// -----

// CHECK: a pattern program returns arrays, got f32
func.func @scalar(%x : !pattern.array<64, f32>) -> f32 {
  %i = arith.constant 0 : index
  %e = pattern.at %x[%i] : f32
  func.return %e : f32
}

// -----

// Groups do not wait for each other: what those of an inner map compute is for the result only.
func.func @unordered(%x : !pattern.array<M, N, f32>) -> !pattern.array<M, 1, f32> {
  %zero = arith.constant 0.0 : f32
  %y = pattern.map_global %x as %row : !pattern.array<N, f32> dim 1 {
    %z = pattern.map_global %row as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<N, f32>
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.reduce_seq': it reads what other work-items computed ('pattern.map_global' inside of a kernel), and there is no barrier for the work-items of different groups; compute the array before the outer map, or by a 'pattern.map_local' in a 'pattern.map_workgroup'
    %sum = pattern.reduce_seq %z init %zero as %p : f32, %q : f32 {
      %s = arith.addf %p, %q : f32
      pattern.yield %s : f32
    } : !pattern.array<1, f32>
    pattern.yield %sum : !pattern.array<1, f32>
  } : !pattern.array<M, 1, f32>
  func.return %y : !pattern.array<M, 1, f32>
}

// -----

// A slide has elements twice: it is a copy.
func.func @unordered_copy(%x : !pattern.array<M, N+2, f32>) -> !pattern.array<M, N, 3, f32> {
  %y = pattern.map_workgroup %x as %row : !pattern.array<N+2, f32> dim 1 {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.map_workgroup': its result is not written in place, and its copy reads it
    %z = pattern.map_workgroup %row as %e : f32 {
      pattern.yield %e : f32
    } : !pattern.array<N+2, f32>
    %w = pattern.slide %z size 3 step 1 : !pattern.array<N, 3, f32>
    pattern.yield %w : !pattern.array<N, 3, f32>
  } : !pattern.array<M, N, 3, f32>
  func.return %y : !pattern.array<M, N, 3, f32>
}

// -----

func.func @unordered_iterations(%x : !pattern.array<M, 64, f32>) -> !pattern.array<M, 64, f32> {
  %y = pattern.map_global %x as %row : !pattern.array<64, f32> dim 1 {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.iterate': it reads what its previous iteration computed
    %w = pattern.iterate 3 %row as %r: !pattern.array<64, f32> {
      %z = pattern.map_global %r as %e : f32 {
        %s = arith.addf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<64, f32>
      pattern.yield %z : !pattern.array<64, f32>
    } : !pattern.array<64, f32>
    pattern.yield %w : !pattern.array<64, f32>
  } : !pattern.array<M, 64, f32>
  func.return %y : !pattern.array<M, 64, f32>
}

// -----

func.func @misplaced(%x : !pattern.array<M, N, f32>) -> !pattern.array<M, N, f32> {
  %y = pattern.map_global %x as %row : !pattern.array<N, f32> {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.map_local': expected a 'pattern.map_workgroup' around it
    %z = pattern.map_local %row as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<N, f32>
    pattern.yield %z : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return %y : !pattern.array<M, N, f32>
}
