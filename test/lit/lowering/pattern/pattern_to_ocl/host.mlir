// RUN: ocl-opt %s -p pattern-to-ocl --split-input-file | filecheck %s

// The result overwrites the argument: no memory is allocated, as in BLAS's scal.

func.func @scal(%x : !pattern.array<1024, f32>, %a : f32) -> !pattern.array<1024, f32>
    attributes {pattern.inplace = 0 : i64} {
  %y = pattern.map_global %x as %e : f32 {
    %s = arith.mulf %e, %a : f32
    pattern.yield %s : f32
  } : !pattern.array<1024, f32>
  func.return %y : !pattern.array<1024, f32>
}

// CHECK-LABEL: ocl.kernel @scal_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %a: f32 {ocl.name = "a"}) attributes {reqd_work_group_size = array<i64: 128, 1, 1>} {
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %0 = ocl.load %x[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s = arith.mulf %0, %a : f32
// CHECK-NEXT:   ocl.store %s, %x[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @scal(%x: !pattern.array<1024, f32>, %a: f32) -> !pattern.array<1024, f32> {
// CHECK-NEXT:   pattern.launch @scal_0 global [1024] local [128] (%x, %a) : !pattern.array<1024, f32>, f32
// CHECK-NEXT:   func.return %x : !pattern.array<1024, f32>
// CHECK-NEXT: }

// -----

// The same function twice, each time on all elements: two kernels and memory between them.

func.func @iterated(%x : !pattern.array<64, f32>) -> !pattern.array<64, f32> {
  %r = pattern.iterate 2 %x as %v : !pattern.array<64, f32> {
    %w = pattern.reorder_stride %v by 8 : !pattern.array<64, f32>
    %y = pattern.map_global %w as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    pattern.yield %y : !pattern.array<64, f32>
  } : !pattern.array<64, f32>
  func.return %r : !pattern.array<64, f32>
}

// CHECK-LABEL: ocl.kernel @iterated_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %temp: !ocl.ptr<f32, global> {ocl.name = "temp"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %0 = arith.constant 8 : index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %1 = arith.remui %item0, %0 : index
// CHECK-NEXT:   %2 = arith.muli %1, %0 : index
// CHECK-NEXT:   %3 = arith.divui %item0, %0 : index
// CHECK-NEXT:   %4 = arith.addi %2, %3 : index
// CHECK-NEXT:   %5 = ocl.load %x[%4] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s = arith.addf %5, %5 : f32
// CHECK-NEXT:   ocl.store %s, %temp[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: ocl.kernel @iterated_1(%temp: !ocl.ptr<f32, global> {ocl.name = "temp"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %0 = arith.constant 8 : index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %1 = arith.remui %item0, %0 : index
// CHECK-NEXT:   %2 = arith.muli %1, %0 : index
// CHECK-NEXT:   %3 = arith.divui %item0, %0 : index
// CHECK-NEXT:   %4 = arith.addi %2, %3 : index
// CHECK-NEXT:   %5 = ocl.load %temp[%4] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s = arith.addf %5, %5 : f32
// CHECK-NEXT:   ocl.store %s, %out[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @iterated(%x: !pattern.array<64, f32>) -> !pattern.array<64, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<64, f32>
// CHECK-NEXT:   %temp = pattern.alloc : !pattern.array<64, f32>
// CHECK-NEXT:   pattern.launch @iterated_0 global [64] local [16] (%x, %temp) : !pattern.array<64, f32>, !pattern.array<64, f32>
// CHECK-NEXT:   pattern.launch @iterated_1 global [64] local [16] (%temp, %out) : !pattern.array<64, f32>, !pattern.array<64, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<64, f32>
// CHECK-NEXT: }

// -----

// Sizes that are variables become arguments. N is known to be a multiple of 32, and N/32 is what
// the indices are made of.

func.func @sizes(%x : !pattern.array<N, f32>) -> !pattern.array<N, f32>
    attributes {pattern.sizes = [#pattern.size<N, divisible_by = 32>]} {
  %r = pattern.reorder_stride %x by N/32 : !pattern.array<N, f32>
  %c = pattern.split %r by 32 : !pattern.array<N/32, 32, f32>
  %g = pattern.map_global %c as %v : !pattern.array<32, f32> {
    %l = pattern.map_seq %v as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<32, f32>
    pattern.yield %l : !pattern.array<32, f32>
  } : !pattern.array<N/32, 32, f32>
  %j = pattern.join %g : !pattern.array<N, f32>
  func.return %j : !pattern.array<N, f32>
}

// CHECK-LABEL: ocl.kernel @sizes_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %N: i64 {ocl.name = "N_32"}) {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 32 : index
// CHECK-NEXT:   %N_1 = arith.index_cast %N : i64 to index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   scf.for %i = %0 to %2 step %1 {
// CHECK-NEXT:     %3 = arith.muli %N_1, %i : index
// CHECK-NEXT:     %4 = arith.addi %3, %item0 : index
// CHECK-NEXT:     %5 = ocl.load %x[%4] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %s = arith.addf %5, %5 : f32
// CHECK-NEXT:     %6 = arith.muli %item0, %2 : index
// CHECK-NEXT:     %7 = arith.addi %i, %6 : index
// CHECK-NEXT:     ocl.store %s, %out[%7] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @sizes(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<N, f32>
// CHECK-NEXT:   pattern.launch @sizes_0 global [N/32] (%x, %out) sizes [N/32] : !pattern.array<N, f32>, !pattern.array<N, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<N, f32>
// CHECK-NEXT: }
