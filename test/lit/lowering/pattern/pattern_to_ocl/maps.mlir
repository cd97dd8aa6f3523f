// RUN: ocl-opt %s -p pattern-to-ocl --split-input-file | filecheck %s

// Maps share their elements out among work-items. The NDRange is chosen from their sizes: then
// each work-item has one element, and there is no loop.

func.func @twice(%x : !pattern.array<1024, f32>) -> !pattern.array<1024, f32> {
  %y = pattern.map_global %x as %e : f32 {
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<1024, f32>
  func.return %y : !pattern.array<1024, f32>
}

// CHECK-LABEL: ocl.kernel @twice_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 128, 1, 1>} {
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %0 = ocl.load %x[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s = arith.addf %0, %0 : f32
// CHECK-NEXT:   ocl.store %s, %out[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @twice(%x: !pattern.array<1024, f32>) -> !pattern.array<1024, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<1024, f32>
// CHECK-NEXT:   pattern.launch @twice_0 global [1024] local [128] (%x, %out) : !pattern.array<1024, f32>, !pattern.array<1024, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<1024, f32>
// CHECK-NEXT: }

// -----

// 509 is a prime number: in the last group not all have an element.

func.func @guard(%x : !pattern.array<509, f32>) -> !pattern.array<509, f32> {
  %y = pattern.map_global %x as %e : f32 {
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<509, f32>
  func.return %y : !pattern.array<509, f32>
}

// CHECK-LABEL: ocl.kernel @guard_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 32, 1, 1>} {
// CHECK-NEXT:   %0 = arith.constant 509 : index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %1 = arith.cmpi ult, %item0, %0 : index
// CHECK-NEXT:   scf.if %1 {
// CHECK-NEXT:     %2 = ocl.load %x[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %s = arith.addf %2, %2 : f32
// CHECK-NEXT:     ocl.store %s, %out[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @guard(%x: !pattern.array<509, f32>) -> !pattern.array<509, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<509, f32>
// CHECK-NEXT:   pattern.launch @guard_0 global [512] local [32] (%x, %out) : !pattern.array<509, f32>, !pattern.array<509, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<509, f32>
// CHECK-NEXT: }

// -----

// Two levels: a group has a row, its work-items the elements; 1024 are more than a group has
// work-items, which have a loop of strides. A scalar argument and what is computed from it.

func.func @levels(%x : !pattern.array<2, 1024, f32>, %a : f32) -> !pattern.array<2, 1024, f32> {
  %b = arith.addf %a, %a : f32
  %g = pattern.map_workgroup %x as %r : !pattern.array<1024, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.mulf %e, %b : f32
      pattern.yield %s : f32
    } : !pattern.array<1024, f32>
    pattern.yield %l : !pattern.array<1024, f32>
  } : !pattern.array<2, 1024, f32>
  func.return %g : !pattern.array<2, 1024, f32>
}

// CHECK-LABEL: ocl.kernel @levels_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %a: f32 {ocl.name = "a"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 256, 1, 1>} {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 4 : index
// CHECK-NEXT:   %3 = arith.constant 256 : index
// CHECK-NEXT:   %4 = arith.constant 1024 : index
// CHECK-NEXT:   %b = arith.addf %a, %a : f32
// CHECK-NEXT:   %group0 = ocl.group_id 0 : index
// CHECK-NEXT:   %item0 = ocl.local_id 0 : index
// CHECK-NEXT:   scf.for %t = %0 to %2 step %1 {
// CHECK-NEXT:     %5 = arith.muli %t, %3 : index
// CHECK-NEXT:     %6 = arith.addi %item0, %5 : index
// CHECK-NEXT:     %7 = arith.muli %group0, %4 : index
// CHECK-NEXT:     %8 = arith.addi %7, %6 : index
// CHECK-NEXT:     %9 = ocl.load %x[%8] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %s = arith.mulf %9, %b : f32
// CHECK-NEXT:     ocl.store %s, %out[%8] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @levels(%x: !pattern.array<2, 1024, f32>, %a: f32) -> !pattern.array<2, 1024, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<2, 1024, f32>
// CHECK-NEXT:   pattern.launch @levels_0 global [512] local [256] (%x, %a, %out) : !pattern.array<2, 1024, f32>, f32, !pattern.array<2, 1024, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<2, 1024, f32>
// CHECK-NEXT: }

// -----

// An NDRange of one's own: 64 work-items in groups of 32 for 1024 elements.

func.func @hint(%x : !pattern.array<1024, f32>) -> !pattern.array<1024, f32>
    attributes {pattern.ndrange = [[#pattern.nat<64>, #pattern.nat<32>]]} {
  %y = pattern.map_global %x as %e : f32 {
    %s = arith.addf %e, %e : f32
    pattern.yield %s : f32
  } : !pattern.array<1024, f32>
  func.return %y : !pattern.array<1024, f32>
}

// CHECK-LABEL: ocl.kernel @hint_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 32, 1, 1>} {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 16 : index
// CHECK-NEXT:   %3 = arith.constant 64 : index
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   scf.for %t = %0 to %2 step %1 {
// CHECK-NEXT:     %4 = arith.muli %t, %3 : index
// CHECK-NEXT:     %5 = arith.addi %item0, %4 : index
// CHECK-NEXT:     %6 = ocl.load %x[%5] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %s = arith.addf %6, %6 : f32
// CHECK-NEXT:     ocl.store %s, %out[%5] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @hint(%x: !pattern.array<1024, f32>) -> !pattern.array<1024, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<1024, f32>
// CHECK-NEXT:   pattern.launch @hint_0 global [64] local [32] (%x, %out) : !pattern.array<1024, f32>, !pattern.array<1024, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<1024, f32>
// CHECK-NEXT: }

// -----

// Arrays of tuples: each part has memory of its own.

func.func @parts(%x : !pattern.array<64, tuple<f32, i32>>) -> !pattern.array<64, tuple<i32, f32>> {
  %y = pattern.map_global %x as (%a : f32, %b : i32) {
    pattern.yield %b, %a : i32, f32
  } : !pattern.array<64, tuple<i32, f32>>
  func.return %y : !pattern.array<64, tuple<i32, f32>>
}

// CHECK-LABEL: ocl.kernel @parts_0(%x0: !ocl.ptr<f32, global> {ocl.name = "x0"}, %x1: !ocl.ptr<i32, global> {ocl.name = "x1"}, %out0: !ocl.ptr<i32, global> {ocl.name = "out0"}, %out1: !ocl.ptr<f32, global> {ocl.name = "out1"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %0 = ocl.load %x0[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %1 = ocl.load %x1[%item0] : !ocl.ptr<i32, global>
// CHECK-NEXT:   ocl.store %1, %out0[%item0] : !ocl.ptr<i32, global>
// CHECK-NEXT:   ocl.store %0, %out1[%item0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @parts(%x: !pattern.array<64, tuple<f32, i32>>) -> !pattern.array<64, tuple<i32, f32>> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<64, tuple<i32, f32>>
// CHECK-NEXT:   pattern.launch @parts_0 global [64] local [16] (%x, %out) : !pattern.array<64, tuple<f32, i32>>, !pattern.array<64, tuple<i32, f32>>
// CHECK-NEXT:   func.return %out : !pattern.array<64, tuple<i32, f32>>
// CHECK-NEXT: }
