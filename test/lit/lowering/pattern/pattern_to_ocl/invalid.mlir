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
