// RUN: OCL_INVALID

// The function halves its array: 128 elements become 2^-6 * 128 = 2.
func.func @f(%x: !pattern.array<128, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.iterate': 6 times from 2*S to S elements: expected the result type !pattern.array<2, f32>, got !pattern.array<1, f32>
  %r = pattern.iterate 6 %x size S as %v: !pattern.array<2*S, f32> {
    %c = pattern.split %v by 2 : !pattern.array<S, 2, f32>
    %h = pattern.map %c as %p: !pattern.array<2, f32> {
      %i = arith.constant 0 : index
      %e = pattern.at %p[%i] : f32
      pattern.yield %e : f32
    } : !pattern.array<S, f32>
    pattern.yield %h : !pattern.array<S, f32>
  } : !pattern.array<1, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<96, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.iterate': expected an array size of at least 1, got 3/2
  %r = pattern.iterate 6 %x size S as %v: !pattern.array<2*S, f32> {
    %c = pattern.split %v by 2 : !pattern.array<S, 2, f32>
    %h = pattern.map %c as %p: !pattern.array<2, f32> {
      %i = arith.constant 0 : index
      %e = pattern.at %p[%i] : f32
      pattern.yield %e : f32
    } : !pattern.array<S, f32>
    pattern.yield %h : !pattern.array<S, f32>
  } : !pattern.array<1, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<S, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.iterate': the size variable S must be new, but !pattern.array<S, f32> has it
  %r = pattern.iterate 6 %x size S as %v: !pattern.array<S, f32> {
    pattern.yield %v : !pattern.array<S, f32>
  } : !pattern.array<S, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.iterate': expected a function from k*S elements to S of the same type, got one from !pattern.array<S + 2, f32> to !pattern.array<S + 2, f32>
  %r = pattern.iterate 6 %x size S as %v: !pattern.array<S + 2, f32> {
    pattern.yield %v : !pattern.array<S + 2, f32>
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<2*N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.iterate': without a size variable the function maps !pattern.array<2*N, f32> to itself and that is the result's type; got a function from !pattern.array<2*N, f32> to !pattern.array<N, 2, f32> and the result type !pattern.array<2*N, f32>
  %r = pattern.iterate 6 %x as %v: !pattern.array<2*N, f32> {
    %c = pattern.split %v by 2 : !pattern.array<N, 2, f32>
    pattern.yield %c : !pattern.array<N, 2, f32>
  } : !pattern.array<2*N, f32>
  func.return
}
