// RUN: ocl-opt %s -p pattern-to-ocl | filecheck %s
// RUN: ocl-opt %s -p pattern-to-ocl --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// A program that nobody mapped to OpenCL runs, too: the outer map is for work-items, the inner map
// is computed where it is read, and the reduction is a loop.

// REMARK: remark: this map is not mapped to work-items: map_global was taken [pattern-to-ocl]

func.func @rows(%A : !pattern.array<64, 32, f32>, %x : !pattern.array<32, f32>) -> !pattern.array<64, f32> {
  %z = arith.constant 0.0 : f32
  %t = pattern.map %A as %row : !pattern.array<32, f32> {
    %p = pattern.zip %x, %row : !pattern.array<32, tuple<f32, f32>>
    %m = pattern.map %p as (%u : f32, %v : f32) {
      %w = arith.mulf %u, %v : f32
      pattern.yield %w : f32
    } : !pattern.array<32, f32>
    %d = pattern.reduce %m init %z as %u : f32, %v : f32 assoc comm {
      %w = arith.addf %u, %v : f32
      pattern.yield %w : f32
    } : !pattern.array<1, f32>
    pattern.yield %d : !pattern.array<1, f32>
  } : !pattern.array<64, 1, f32>
  %j = pattern.join %t : !pattern.array<64, f32>
  func.return %j : !pattern.array<64, f32>
}

// CHECK-LABEL: ocl.kernel @rows_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %A: !ocl.ptr<f32, global> {ocl.name = "A"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 32 : index
// CHECK-NEXT:   %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %2 = arith.constant 1 : index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %3 = arith.muli %item0, %1 : index
// CHECK-NEXT:   %4 = scf.for %i = %0 to %1 step %2 iter_args(%5 = %z) -> (f32) {
// CHECK-NEXT:     %6 = ocl.load %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %7 = arith.addi %i, %3 : index
// CHECK-NEXT:     %8 = ocl.load %A[%7] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %w = arith.mulf %6, %8 : f32
// CHECK-NEXT:     %w_1 = arith.addf %5, %w : f32
// CHECK-NEXT:     scf.yield %w_1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.store %4, %out[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @rows(%A: !pattern.array<64, 32, f32>, %x: !pattern.array<32, f32>) -> !pattern.array<64, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<64, f32>
// CHECK-NEXT:   pattern.launch @rows_0 global [64] local [16] (%x, %A, %out) : !pattern.array<32, f32>, !pattern.array<64, 32, f32>, !pattern.array<64, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<64, f32>
// CHECK-NEXT: }
