// RUN: OCL_INVALID

// The function of a map takes an element.
func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.map': expected the function to take f32; its arguments there: i32
  %y = pattern.map %x as %e: i32 {
    pattern.yield %e : i32
  } : !pattern.array<N, i32>
  func.return
}

// -----

// It takes a tuple whole, or all of its parts.
func.func @f(%x: !pattern.array<N, tuple<f32, i32>>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.map': expected the function to take tuple<f32, i32>, or its parts; its arguments there: f32, f32
  %y = pattern.map %x as (%a: f32, %b: f32) {
    pattern.yield %a : f32
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.map': the function takes 1 arguments more than there are
  %y = pattern.map %x as %e: f32, %i: index {
    pattern.yield %e : f32
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.map': the function yields f32, expected the result's element type i32
  %y = pattern.map %x as %e: f32 {
    pattern.yield %e : f32
  } : !pattern.array<N, i32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.map': expected a result of the input's size, !pattern.array<N, f32>, got !pattern.array<M, f32>
  %y = pattern.map %x as %e: f32 {
    pattern.yield %e : f32
  } : !pattern.array<M, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.map_global': expected the dimension 0, 1 or 2, got 3
  %y = pattern.map_global %x as %e: f32 dim 3 {
    pattern.yield %e : f32
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.map': expected 'pattern.yield' at the end of the function, got 'math.absf'
  %y = pattern.map %x as %e: f32 {
    %s = math.absf %e : f32
  } : !pattern.array<N, f32>
  func.return
}
