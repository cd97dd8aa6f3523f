// RUN: OCL_INVALID

// The chunk size divides the array's size, whatever the variables are.
func.func @f(%x: !pattern.array<64*N + 32, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.split': the result's size: N + 1/2 is not known to be an integer
  %c = pattern.split %x by 64 : !pattern.array<N, 64, f32>
  func.return
}

// -----

// N/64 is a size only where N is known to be a multiple of 64.
func.func @f(%x: !pattern.array<N, f32>) attributes {pattern.sizes = [#pattern.size<N, divisible_by = 32>]} {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.split': the result's size: N/64 is not known to be an integer; say so by 'pattern.sizes = [#pattern.size<N, divisible_by = 64>]' on the function, or write a multiple, say 64*N, in the type of its argument
  %c = pattern.split %x by 64 : !pattern.array<N/64, 64, f32>
  func.return
}

// -----

// A variable divides only what is a product with it.
func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.split': the chunk size must divide the array's size: M does not divide N
  %c = pattern.split %x by M : !pattern.array<N, M, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<64*N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.split': expected the result type !pattern.array<N, 64, f32>, got !pattern.array<64*N, 64, f32>
  %c = pattern.split %x by 64 : !pattern.array<64*N, 64, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.join': expected an array of arrays, got !pattern.array<N, f32>
  %c = pattern.join %x : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %y: !pattern.array<M, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.zip': expected arrays of one size, got the sizes N and M
  %c = pattern.zip %x, %y : !pattern.array<N, tuple<f32, f32>>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.zip': expected at least two arrays, got 1
  %c = pattern.zip %x : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.unzip': expected an array of tuples, got !pattern.array<N, f32>
  %c = pattern.unzip %x : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<100, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.reorder_stride': the stride must divide the array's size: 25/16 is not known to be an integer
  %c = pattern.reorder_stride %x by 64 : !pattern.array<100, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<4, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.slide': a window of 5 elements is larger than !pattern.array<4, f32>
  %c = pattern.slide %x size 5 step 1 : !pattern.array<1, 5, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<2*N + 2, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.slide': the result's size: N + 1/2 is not known to be an integer
  %c = pattern.slide %x size 3 step 2 : !pattern.array<N, 3, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.pad': unknown mode 'extend'; expected clamp, mirror, wrap, constant
  %c = pattern.pad %x left 1 right 1 extend : !pattern.array<N + 2, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.pad': expected a value of the elements' type f32, got i32
  %c = pattern.pad %x left 1 right 1 constant %v : !pattern.array<N + 2, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.pad': expected a value to pad with in the mode 'constant', only there
  %c = "pattern.pad"(%x) <{left = #pattern.nat<1>, right = #pattern.nat<1>, mode = "constant"}> : (!pattern.array<N, f32>) -> !pattern.array<N + 2, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %i: !pattern.array<M, f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.gather': expected indices that are integers, got !pattern.array<M, f32>
  %c = pattern.gather %x, %i : !pattern.array<M, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>, %i: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.at': expected an integer or an index, got f32
  %c = pattern.at %x[%i] : f32
  func.return
}

// -----

func.func @f(%x: tuple<f32, i32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.get': tuple<f32, i32> has no part 2; the first one is 0
  %c = pattern.get %x[2] : f32
  func.return
}

// -----

func.func @f(%x: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.tuple': result 'result' at position 0 does not verify: f32 should be of base attribute tuple
  %c = pattern.tuple %x : f32
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:21: error: %x is not defined above
  %c = pattern.join %x : !pattern.array<N, f32>
  func.return
}

// -----

func.func @f(%x: !pattern.array<N, f32>) attributes {pattern.sizes = #pattern.size<N, divisible_by = 64>} {
  // CHECK: [[# @LINE + 1]]:3: error: 'pattern.split': expected 'pattern.sizes = [#pattern.size<...>, ...]', got #pattern.size<N, divisible_by = 64>
  %c = pattern.split %x by 64 : !pattern.array<N/64, 64, f32>
  func.return
}
