// RUN: ocl-opt %s -p pattern-to-ocl --split-input-file | filecheck %s

// Patterns that only rearrange make no code. A work-item with a chunk of 8 elements reads such
// that are 64 apart, so that neighbours read neighbours: Lift's index (64 * ((8 * item + i) % 8)) +
// (8 * item + i) / 8 is simplified to 64 * i + item.

func.func @coalesced(%x : !pattern.array<512, f32>) -> !pattern.array<512, f32> {
  %r = pattern.reorder_stride %x by 64 : !pattern.array<512, f32>
  %c = pattern.split %r by 8 : !pattern.array<64, 8, f32>
  %g = pattern.map_global %c as %v : !pattern.array<8, f32> {
    %l = pattern.map_seq %v as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<8, f32>
    pattern.yield %l : !pattern.array<8, f32>
  } : !pattern.array<64, 8, f32>
  %j = pattern.join %g : !pattern.array<512, f32>
  func.return %j : !pattern.array<512, f32>
}

// CHECK-LABEL: ocl.kernel @coalesced_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 8 : index
// CHECK-NEXT:   %3 = arith.constant 64 : index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   scf.for %i = %0 to %2 step %1 {
// CHECK-NEXT:     %4 = arith.muli %i, %3 : index
// CHECK-NEXT:     %5 = arith.addi %4, %item0 : index
// CHECK-NEXT:     %6 = ocl.load %x[%5] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %s = arith.addf %6, %6 : f32
// CHECK-NEXT:     %7 = arith.muli %item0, %2 : index
// CHECK-NEXT:     %8 = arith.addi %i, %7 : index
// CHECK-NEXT:     ocl.store %s, %out[%8] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @coalesced(%x: !pattern.array<512, f32>) -> !pattern.array<512, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<512, f32>
// CHECK-NEXT:   pattern.launch @coalesced_0 global [64] local [16] (%x, %out) : !pattern.array<512, f32>, !pattern.array<512, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<512, f32>
// CHECK-NEXT: }

// -----

// What stands behind a map says where its results are written: here to columns.

func.func @columns(%x : !pattern.array<16, 10, f32>) -> !pattern.array<10, 16, f32> {
  %g = pattern.map_global %x as %r : !pattern.array<10, f32> {
    %l = pattern.map_seq %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<10, f32>
    pattern.yield %l : !pattern.array<10, f32>
  } : !pattern.array<16, 10, f32>
  %t = pattern.transpose %g : !pattern.array<10, 16, f32>
  func.return %t : !pattern.array<10, 16, f32>
}

// CHECK-LABEL: ocl.kernel @columns_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 10 : index
// CHECK-NEXT:   %3 = arith.constant 16 : index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   scf.for %i = %0 to %2 step %1 {
// CHECK-NEXT:     %4 = arith.muli %item0, %2 : index
// CHECK-NEXT:     %5 = arith.addi %i, %4 : index
// CHECK-NEXT:     %6 = ocl.load %x[%5] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %s = arith.addf %6, %6 : f32
// CHECK-NEXT:     %7 = arith.muli %i, %3 : index
// CHECK-NEXT:     %8 = arith.addi %7, %item0 : index
// CHECK-NEXT:     ocl.store %s, %out[%8] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @columns(%x: !pattern.array<16, 10, f32>) -> !pattern.array<10, 16, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<10, 16, f32>
// CHECK-NEXT:   pattern.launch @columns_0 global [16] local [16] (%x, %out) : !pattern.array<16, 10, f32>, !pattern.array<10, 16, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<10, 16, f32>
// CHECK-NEXT: }

// -----

// Padding clamps the index; the middle one of three elements needs none. The map that is not
// mapped to work-items is computed where it is read.

func.func @blur(%x : !pattern.array<64, f32>) -> !pattern.array<64, f32> {
  %z = arith.constant 0.0 : f32
  %p = pattern.pad %x left 1 right 1 clamp : !pattern.array<66, f32>
  %a = pattern.map %p as %e : f32 {
    %s = math.absf %e : f32
    pattern.yield %s : f32
  } : !pattern.array<66, f32>
  %w = pattern.slide %a size 3 step 1 : !pattern.array<64, 3, f32>
  %g = pattern.map_global %w as %v : !pattern.array<3, f32> {
    %s = pattern.reduce_seq %v init %z as %acc : f32, %e : f32 unroll {
      %t = arith.addf %acc, %e : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %s : !pattern.array<1, f32>
  } : !pattern.array<64, 1, f32>
  %y = pattern.join %g : !pattern.array<64, f32>
  func.return %y : !pattern.array<64, f32>
}

// CHECK-LABEL: ocl.kernel @blur_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 63 : index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %3 = arith.subi %item0, %1 : index
// CHECK-NEXT:   %4 = arith.maxsi %0, %3 : index
// CHECK-NEXT:   %5 = ocl.load %x[%4] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s = math.absf %5 : f32
// CHECK-NEXT:   %t = arith.addf %z, %s : f32
// CHECK-NEXT:   %6 = ocl.load %x[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s_1 = math.absf %6 : f32
// CHECK-NEXT:   %t_1 = arith.addf %t, %s_1 : f32
// CHECK-NEXT:   %7 = arith.addi %item0, %1 : index
// CHECK-NEXT:   %8 = arith.minsi %2, %7 : index
// CHECK-NEXT:   %9 = ocl.load %x[%8] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s_2 = math.absf %9 : f32
// CHECK-NEXT:   %t_2 = arith.addf %t_1, %s_2 : f32
// CHECK-NEXT:   ocl.store %t_2, %out[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @blur(%x: !pattern.array<64, f32>) -> !pattern.array<64, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<64, f32>
// CHECK-NEXT:   pattern.launch @blur_0 global [64] local [16] (%x, %out) : !pattern.array<64, f32>, !pattern.array<64, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<64, f32>
// CHECK-NEXT: }

// -----

// Neighbours as vectors; `vect` widens a function of scalars.

func.func @vectors(%x : !pattern.array<128, f32>, %a : f32) -> !pattern.array<128, f32> {
  %v = pattern.as_vector %x by 4 : !pattern.array<32, vector<4xf32>>
  %y = pattern.map_global %v as %e : vector<4xf32> {
    %w = pattern.vect %e as %f : f32 {
      %one = arith.constant 1.0 : f32
      %s = arith.mulf %f, %a : f32
      %t = arith.addf %s, %one : f32
      pattern.yield %t : f32
    } : vector<4xf32>
    pattern.yield %w : vector<4xf32>
  } : !pattern.array<32, vector<4xf32>>
  %o = pattern.as_scalar %y : !pattern.array<128, f32>
  func.return %o : !pattern.array<128, f32>
}

// CHECK-LABEL: ocl.kernel @vectors_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %a: f32 {ocl.name = "a"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %0 = ocl.vload %x[%item0] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:   %1 = vector.broadcast %a : f32 to vector<4xf32>
// CHECK-NEXT:   %s = arith.mulf %0, %1 : vector<4xf32>
// CHECK-NEXT:   %2 = arith.constant dense<1.000000e+00> : vector<4xf32>
// CHECK-NEXT:   %t = arith.addf %s, %2 : vector<4xf32>
// CHECK-NEXT:   ocl.vstore %t, %out[%item0] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @vectors(%x: !pattern.array<128, f32>, %a: f32) -> !pattern.array<128, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<128, f32>
// CHECK-NEXT:   pattern.launch @vectors_0 global [32] local [16] (%x, %a, %out) : !pattern.array<128, f32>, f32, !pattern.array<128, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<128, f32>
// CHECK-NEXT: }

// -----

// An element whose index is data.

func.func @gathered(%x : !pattern.array<32, f32>, %ids : !pattern.array<64, i32>) -> !pattern.array<64, f32> {
  %g = pattern.gather %x, %ids : !pattern.array<64, f32>
  %y = pattern.map_global %g as %e : f32 {
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<64, f32>
  func.return %y : !pattern.array<64, f32>
}

// CHECK-LABEL: ocl.kernel @gathered_0(%ids: !ocl.ptr<i32, global> {ocl.name = "ids"}, %x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %0 = ocl.load %ids[%item0] : !ocl.ptr<i32, global>
// CHECK-NEXT:   %1 = arith.index_cast %0 : i32 to index
// CHECK-NEXT:   %2 = ocl.load %x[%1] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s = arith.addf %2, %2 : f32
// CHECK-NEXT:   ocl.store %s, %out[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @gathered(%x: !pattern.array<32, f32>, %ids: !pattern.array<64, i32>) -> !pattern.array<64, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<64, f32>
// CHECK-NEXT:   pattern.launch @gathered_0 global [64] local [16] (%ids, %x, %out) : !pattern.array<64, i32>, !pattern.array<32, f32>, !pattern.array<64, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<64, f32>
// CHECK-NEXT: }
