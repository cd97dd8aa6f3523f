// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// The host's side of a lowered program: memory, and one kernel after the other. An array of tuples
// has memory for each part; sizes are passed behind the arguments.

// CHECK-LABEL: func.func @program
func.func @program(%x: !pattern.array<64*N, f32>, %a: f32) -> !pattern.array<N, tuple<f32, i32>> {
  // CHECK-NEXT: %t = pattern.alloc : !pattern.array<N, f32>
  %t = pattern.alloc : !pattern.array<N, f32>
  // CHECK-NEXT: pattern.launch @first global [64*N] local [64] (%x, %a, %t) : !pattern.array<64*N, f32>, f32, !pattern.array<N, f32>
  pattern.launch @first global [64*N] local [64] (%x, %a, %t) : !pattern.array<64*N, f32>, f32, !pattern.array<N, f32>
  // CHECK-NEXT: %r = pattern.alloc : !pattern.array<N, tuple<f32, i32>>
  %r = pattern.alloc : !pattern.array<N, tuple<f32, i32>>
  // CHECK-NEXT: pattern.launch @second global [N] (%t, %r) sizes [N] : !pattern.array<N, f32>, !pattern.array<N, tuple<f32, i32>>
  pattern.launch @second global [N] (%t, %r) sizes [N] : !pattern.array<N, f32>, !pattern.array<N, tuple<f32, i32>>
  // CHECK-NEXT: pattern.launch @third global [1, 2, 3] local [1, 1, 1] ()
  pattern.launch @third global [1, 2, 3] local [1, 1, 1] ()
  func.return %r : !pattern.array<N, tuple<f32, i32>>
}
