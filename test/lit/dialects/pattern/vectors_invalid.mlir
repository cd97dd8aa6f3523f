// RUN: OCL_INVALID

func.func @f(%x: !pattern.array<6*N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.as_vector': the result's size: 3*N/2 is not known to be an integer; say so by 'pattern.sizes = [#pattern.size<N, divisible_by = 2>]' on the function, or write a multiple, say 2*N, in the type of its argument
  %v = pattern.as_vector %x by 4 : !pattern.array<N, vector<4xf32>>
  func.return
}

// -----

// Vectors cannot be vectors of vectors: pattern.as_vector can be applied once.
func.func @f(%x: !pattern.array<4*N, vector<4xf32>>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.as_vector': the elements are vectors already: !pattern.array<4*N, vector<4xf32>>; pattern.as_vector can be applied once
  %v = pattern.as_vector %x by 4 : !pattern.array<N, vector<4xf32>>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.as_vector': expected an array of scalars and 2 or more of them in a vector, got !pattern.array<N, f32> by 1
  %v = pattern.as_vector %x by 1 : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.as_scalar': expected an array of vectors, got !pattern.array<N, f32>
  %v = pattern.as_scalar %x : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%v: vector<4xf32>, %w: vector<8xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.vect': expected vectors of 4 elements like the first one, got vector<8xf32>
  %s = pattern.vect %v, %w as %a: f32, %b: f32 {
    pattern.yield %a : f32
  } : vector<4xf32>
  func.return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.vect': the function yields f32, expected the scalars of the results: i32
  %s = pattern.vect %v as %a: f32 {
    pattern.yield %a : f32
  } : vector<4xi32>
  func.return
}
