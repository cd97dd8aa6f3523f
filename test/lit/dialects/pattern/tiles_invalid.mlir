// RUN: OCL_INVALID

func.func @f(%a: !pattern.array<16, 32, f16>, %b: !pattern.array<8, 48, f16>, %c: !pattern.array<16, 8, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.mma': b: expected !pattern.array<8, 32, f16>, got !pattern.array<8, 48, f16>
  %d = pattern.mma %a, %b, %c : !pattern.array<16, 8, f32>
  func.return
}

// -----

func.func @f(%a: !pattern.array<16, 24, f16>, %b: !pattern.array<8, 24, f16>, %c: !pattern.array<16, 8, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.mma': the number of products in a sum must be a multiple of 16: 3/2 is not known to be an integer
  %d = pattern.mma %a, %b, %c : !pattern.array<16, 8, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.drop': expected 0 to N elements to drop, got 2*N
  %t = pattern.drop %x by 2*N : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.take': expected at most N elements, got N + 1
  %t = pattern.take %x by N + 1 : !pattern.array<N + 1, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<8, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.to_local': only in the function of a reduce_seq are elements ahead
  %t = pattern.to_local %x ahead 1 : !pattern.array<8, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, 8, f32>, %z: !pattern.array<8, f32>) {
  %r = pattern.reduce_seq %x init %z as %acc: !pattern.array<8, f32>, %row: !pattern.array<8, f32> {
    // CHECK: [[# @LINE + 1]]:5: error: 'pattern.to_local': what is computed ahead depends on the accumulator
    %t = pattern.to_local %acc ahead 1 : !pattern.array<8, f32>
    pattern.yield %t : !pattern.array<8, f32>
  } : !pattern.array<1, 8, f32>
  func.return
}

// -----

func.func @f(%a: !pattern.array<64, 32, f16>, %b: !pattern.array<12, 32, f16>, %c: !pattern.array<64, 12, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.mma': expected 16 x 8 results, or 64 x a multiple of 8, at most 256, got 64 x 12
  %d = pattern.mma %a, %b, %c : !pattern.array<64, 12, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<8, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.to_local': rows are padded or swizzled, not both
  %t = pattern.to_local %x pad 4 swizzled : !pattern.array<8, f32>
  func.return
}
