// RUN: OCL_INVALID

// A reduction combines elements of one type; pattern.reduce_seq may change the type.
func.func @f(%x: !pattern.array<N, i32>, %z: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.reduce': expected a function (T, T) -> T: the initial value has type f32, the elements have type i32; pattern.reduce_seq takes a function (U, T) -> U
  %r = pattern.reduce %x init %z as %a: f32, %e: i32 {
    pattern.yield %a : f32
  } : !pattern.array<1, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %z: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.reduce': expected an array of one element as the result, got !pattern.array<N, f32>
  %r = pattern.reduce %x init %z as %a: f32, %e: f32 {
    pattern.yield %a : f32
  } : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, i32>, %z: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.reduce_seq': the function yields i32, expected the type of the initial value, f32
  %r = pattern.reduce_seq %x init %z as %a: f32, %e: i32 {
    pattern.yield %e : i32
  } : !pattern.array<1, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, i32>, %z: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.reduce_seq': expected a result of elements of the initial value's type f32, got !pattern.array<1, i32>
  %r = pattern.reduce_seq %x init %z as %a: f32, %e: i32 {
    pattern.yield %a : f32
  } : !pattern.array<1, i32>
  func.return
}

// -----

// Several parts: the function is declared to be associative ...
func.func @f(%x: !pattern.array<64*N, f32>) {
  %z = arith.constant 0.0 : f32
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.part_red': only an associative function can be reduced in parts; say 'assoc' behind the arguments if it is
  %r = pattern.part_red %x init %z as %a: f32, %e: f32 {
    %s = arith.addf %a, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<64, f32>
  func.return
}

// -----

// ... and the initial value is neutral, as each part starts with it: this sum would count 5 for
// each of them.
func.func @f(%x: !pattern.array<64*N, f32>) {
  %z = arith.constant 5.0 : f32
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.part_red': each part starts at the initial value, which must be neutral: f(init, x) = x; that is not proven here, say 'neutral' behind the arguments if it is
  %r = pattern.part_red %x init %z as %a: f32, %e: f32 assoc {
    %s = arith.addf %a, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<64, f32>
  func.return
}

// -----

// 0 is neutral for sums, not for products.
func.func @f(%x: !pattern.array<64*N, i32>) {
  %z = arith.constant 0 : i32
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.part_red': each part starts at the initial value, which must be neutral: f(init, x) = x; that is not proven here, say 'neutral' behind the arguments if it is
  %r = pattern.part_red %x init %z as %a: i32, %e: i32 assoc {
    %s = arith.muli %a, %e : i32
    pattern.yield %s : i32
  } : !pattern.array<64, i32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<64*N, f32>) {
  %z = arith.constant 0.0 : f32
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.part_red': the number of parts must divide the number of elements: 64*N/65 is not known to be an integer; say so by 'pattern.sizes = [#pattern.size<N, divisible_by = 65>]' on the function, or write a multiple, say 65*N, in the type of its argument
  %r = pattern.part_red %x init %z as %a: f32, %e: f32 assoc {
    %s = arith.addf %a, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<65, f32>
  func.return
}
