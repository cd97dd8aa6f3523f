// RUN: OCL_INVALID

// A scan has a result for each element.
func.func @f(%x: !pattern.array<N, f32>, %z: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.scan': expected a result of the input's type !pattern.array<N, f32>, got !pattern.array<1, f32>
  %r = pattern.scan %x init %z as %a: f32, %e: f32 {
    pattern.yield %a : f32
  } : !pattern.array<1, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, i32>, %z: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.scan': expected a function (T, T) -> T: the initial value has type f32, the elements have type i32; make a map before it of elements of the initial value's type
  %r = pattern.scan %x init %z as %a: f32, %e: i32 {
    pattern.yield %a : f32
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %ids: !pattern.array<N, f32>, %s: !pattern.array<M, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.scatter': expected indices that are integers, got !pattern.array<N, f32>
  %r = pattern.scatter %x to %ids init %s as %a: f32, %e: f32 {
    pattern.yield %a : f32
  } : !pattern.array<M, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %ids: !pattern.array<M, i32>, %s: !pattern.array<M, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.scatter': expected an index for each of the N elements, got M
  %r = pattern.scatter %x to %ids init %s as %a: f32, %e: f32 {
    pattern.yield %a : f32
  } : !pattern.array<M, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %ids: !pattern.array<N, i32>, %s: !pattern.array<M, i32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.scatter': expected an initial array of elements of type f32, got !pattern.array<M, i32>
  %r = pattern.scatter %x to %ids init %s as %a: i32, %e: i32 {
    pattern.yield %a : i32
  } : !pattern.array<M, i32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %ids: !pattern.array<N, i32>, %s: !pattern.array<M, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.scatter': expected a result of the initial array's type !pattern.array<M, f32>, got !pattern.array<N, f32>
  %r = pattern.scatter %x to %ids init %s as %a: f32, %e: f32 {
    pattern.yield %a : f32
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %ids: !pattern.array<N, i32>, %s: !pattern.array<M, f32>, %i: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.scatter': the function yields i32, expected the elements' type f32
  %r = pattern.scatter %x to %ids init %s as %a: f32, %e: f32 {
    pattern.yield %i : i32
  } : !pattern.array<M, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.filter': the function yields f32, expected a truth value, i1
  %y, %n = pattern.filter %x as %e: f32 {
    pattern.yield %e : f32
  } : !pattern.array<N, f32>, !pattern.array<1, index>
  func.return
}

// -----

// How many elements there are is known at run time only: a type cannot have it.
func.func @f(%x: !pattern.array<N, f32>, %p: i1) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.filter': expected a result of the input's type !pattern.array<N, f32>, got !pattern.array<M, f32>
  %y, %n = pattern.filter %x as %e: f32 {
    pattern.yield %p : i1
  } : !pattern.array<M, f32>, !pattern.array<1, index>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %p: i1) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.filter': expected a number of elements of type !pattern.array<1, index>, got !pattern.array<1, i32>
  %y, %n = pattern.filter %x as %e: f32 {
    pattern.yield %p : i1
  } : !pattern.array<N, f32>, !pattern.array<1, i32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %p: i1) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.sort': expected the function to take f32; its arguments there: none
  %y = pattern.sort %x as %a: f32 {
    pattern.yield %p : i1
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.iterate': the number of iterations: N/2 is not known to be an integer; say so by 'pattern.sizes = [#pattern.size<N, divisible_by = 2>]' on the function, or write a multiple, say 2*N, in the type of its argument
  %y = pattern.iterate N/2 %x as %v: !pattern.array<N, f32> {
    pattern.yield %v : !pattern.array<N, f32>
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<8, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.iterate': a function that makes its array smaller is applied a known number of times, and takes the array only
  %y = pattern.iterate 2 %x size S as %v: !pattern.array<2*S, f32>, %i: index {
    %t = pattern.take %v by S : !pattern.array<S, f32>
    pattern.yield %t : !pattern.array<S, f32>
  } : !pattern.array<2, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<8, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.iterate': expected a function of one array, or of one and the number of the iteration, an index; got 2 arguments
  %y = pattern.iterate 2 %x as %v: !pattern.array<8, f32>, %i: i32 {
    pattern.yield %v : !pattern.array<8, f32>
  } : !pattern.array<8, f32>
  func.return
}
