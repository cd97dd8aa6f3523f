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

// -----

// A sort compares two elements at a time.
func.func @f(%x: !pattern.array<M, N, f32>) {
  %y = pattern.map_workgroup %x as %row: !pattern.array<N, f32> {
    %s = pattern.split %row by 1 : !pattern.array<N, 1, f32>
    %z = pattern.sort %s as %a: !pattern.array<1, f32>, %b: !pattern.array<1, f32> {
      %zero = arith.constant 0 : index
      // CHECK: [[# @LINE + 1]]:7: error: 'pattern.map_local': it stands in a 'pattern.sort', whose function one work-item runs
      %m = pattern.map_local %a as %e: f32 {
        pattern.yield %e : f32
      } : !pattern.array<1, f32>
      %u = pattern.at %m[%zero] : f32
      %v = pattern.at %b[%zero] : f32
      %p = arith.cmpf olt, %u, %v : f32
      pattern.yield %p : i1
    } : !pattern.array<N, 1, f32>
    pattern.yield %z : !pattern.array<N, 1, f32>
  } : !pattern.array<M, N, 1, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<M, N, f32>, %ids: !pattern.array<M, i32>, %s: !pattern.array<L, N, f32>) {
  %y = pattern.scatter %x to %ids init %s as %old: !pattern.array<N, f32>, %new: !pattern.array<N, f32> {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.map_global': it stands in a 'pattern.scatter', which one work-item or work-group runs
    %m = pattern.map_global %new as %e: f32 {
      pattern.yield %e : f32
    } : !pattern.array<N, f32>
    pattern.yield %m : !pattern.array<N, f32>
  } : !pattern.array<L, N, f32>
  func.return
}
