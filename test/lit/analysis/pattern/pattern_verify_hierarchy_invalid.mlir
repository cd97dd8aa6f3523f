// RUN: ocl-opt %s --split-input-file --verify-diagnostics -p pattern-verify-hierarchy | filecheck %s

// A local work-item belongs to a work-group.
func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.map_local': expected a 'pattern.map_workgroup' around it
  %y = pattern.map_local %x as %e: f32 {
    pattern.yield %e : f32
  } : !pattern.array<N, f32>
  func.return
}

// -----

// The dimensions are those of the NDRange.
func.func @f(%x: !pattern.array<M, N, f32>) {
  %y = pattern.map_workgroup %x as %row: !pattern.array<N, f32> dim 1 {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.map_global': it stands in a 'pattern.map_workgroup', whose work-items are chosen already
    %z = pattern.map_global %row as %e: f32 {
      pattern.yield %e : f32
    } : !pattern.array<N, f32>
    pattern.yield %z : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<M, N, f32>) {
  %y = pattern.map_global %x as %row: !pattern.array<N, f32> {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.map_global': it stands in another 'pattern.map_global' of dimension 0
    %z = pattern.map_global %row as %e: f32 {
      pattern.yield %e : f32
    } : !pattern.array<N, f32>
    pattern.yield %z : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<M, N, f32>) {
  %y = pattern.map_workgroup %x as %row: !pattern.array<N, f32> {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.map_global': it stands in a 'pattern.map_workgroup', whose work-items are chosen already
    %z = pattern.map_global %row as %e: f32 {
      pattern.yield %e : f32
    } : !pattern.array<N, f32>
    pattern.yield %z : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<M, N, f32>) {
  %y = pattern.map_seq %x as %row: !pattern.array<N, f32> {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.map_global': it stands in a 'pattern.map_seq', which one work-item or work-group runs
    %z = pattern.map_global %row as %e: f32 {
      pattern.yield %e : f32
    } : !pattern.array<N, f32>
    pattern.yield %z : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return
}

// -----

// Outside of a work-group there is no local memory.
func.func @f(%x: !pattern.array<N, f32>) {
  %y = pattern.map_global %x as %e: f32 {
    pattern.yield %e : f32
  } : !pattern.array<N, f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.to_local': local memory belongs to a work-group; expected a 'pattern.map_workgroup' around it
  %z = pattern.to_local %y : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<M, N, f32>) {
  %y = pattern.map_workgroup %x as %row: !pattern.array<N, f32> {
    %z = pattern.map_seq %row as %e: f32 {
      pattern.yield %e : f32
    } : !pattern.array<N, f32>
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.to_local': expected the result of a 'pattern.map_local', which a work-group computes together
    %l = pattern.to_local %z : !pattern.array<N, f32>
    pattern.yield %l : !pattern.array<N, f32>
  } : !pattern.array<M, N, f32>
  func.return
}
