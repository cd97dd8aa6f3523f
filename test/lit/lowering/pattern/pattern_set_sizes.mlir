// RUN: ocl-opt %s -p 'pattern-set-sizes{sizes="N=1024"}' --split-input-file | filecheck %s

// Sizes of a launch in the place of variables: in types, in patterns, and in what was assumed.

// CHECK-LABEL: func.func @sums(%x: !pattern.array<1024, f32>, %y: !pattern.array<M, 4, f32>) -> !pattern.array<16, f32> attributes {pattern.sizes = [#pattern.size<M, min = 2>]} {
func.func @sums(%x : !pattern.array<N, f32>, %y : !pattern.array<M, 4, f32>) -> !pattern.array<N/64, f32>
    attributes {pattern.sizes = [#pattern.size<N, divisible_by = 64>, #pattern.size<M, min = 2>]} {
  %z = arith.constant 0.0 : f32
  // CHECK: %r = pattern.reorder_stride %x by 16 : !pattern.array<1024, f32>
  %r = pattern.reorder_stride %x by N/64 : !pattern.array<N, f32>
  // CHECK-NEXT: %c = pattern.split %r by 64 : !pattern.array<16, 64, f32>
  %c = pattern.split %r by 64 : !pattern.array<N/64, 64, f32>
  // CHECK-NEXT: %g = pattern.map %c as %v: !pattern.array<64, f32> {
  %g = pattern.map %c as %v : !pattern.array<64, f32> {
    %s = pattern.reduce %v init %z as %a : f32, %e : f32 {
      %t = arith.addf %a, %e : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %s : !pattern.array<1, f32>
  // CHECK: } : !pattern.array<16, 1, f32>
  } : !pattern.array<N/64, 1, f32>
  // CHECK-NEXT: %j = pattern.join %g : !pattern.array<16, f32>
  %j = pattern.join %g : !pattern.array<N/64, f32>
  func.return %j : !pattern.array<N/64, f32>
}
