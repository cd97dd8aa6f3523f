// RUN: ocl-opt %s -p pattern-to-ocl --split-input-file | filecheck %s

// A work-item reads from local memory what it wrote itself: no barrier.

func.func @own(%x : !pattern.array<4, 64, f32>) -> !pattern.array<4, 64, f32> {
  %g = pattern.map_workgroup %x as %r : !pattern.array<64, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = arith.addf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    %t = pattern.to_local %l : !pattern.array<64, f32>
    %o = pattern.map_local %t as %e : f32 {
      %s = arith.mulf %e, %e : f32
      pattern.yield %s : f32
    } : !pattern.array<64, f32>
    pattern.yield %o : !pattern.array<64, f32>
  } : !pattern.array<4, 64, f32>
  func.return %g : !pattern.array<4, 64, f32>
}

// CHECK-LABEL: ocl.kernel @own_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:   %local1_array = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
// CHECK-NEXT:   %local1 = ocl.cast %local1_array : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:   %0 = arith.constant 64 : index
// CHECK-NEXT:   %group0 = ocl.group_id 0 : index
// CHECK-NEXT:   %item0 = ocl.local_id 0 : index
// CHECK-NEXT:   %1 = arith.muli %group0, %0 : index
// CHECK-NEXT:   %2 = arith.addi %1, %item0 : index
// CHECK-NEXT:   %3 = ocl.load %x[%2] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s = arith.addf %3, %3 : f32
// CHECK-NEXT:   ocl.store %s, %local1[%item0] : !ocl.ptr<f32, local>
// CHECK-NEXT:   %4 = ocl.load %local1[%item0] : !ocl.ptr<f32, local>
// CHECK-NEXT:   %s_1 = arith.mulf %4, %4 : f32
// CHECK-NEXT:   %5 = arith.addi %1, %item0 : index
// CHECK-NEXT:   ocl.store %s_1, %out[%5] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @own(%x: !pattern.array<4, 64, f32>) -> !pattern.array<4, 64, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<4, 64, f32>
// CHECK-NEXT:   pattern.launch @own_0 global [256] local [64] (%x, %out) : !pattern.array<4, 64, f32>, !pattern.array<4, 64, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<4, 64, f32>
// CHECK-NEXT: }

// -----

// Another one's: a barrier. In a loop of the group the tile is written again, while others may
// still read it: one more.

func.func @tiles_in_turn(%x : !pattern.array<2, 3, 32, f32>) -> !pattern.array<2, 3, 32, f32> {
  %g = pattern.map_workgroup %x as %tiles : !pattern.array<3, 32, f32> {
    %q = pattern.map_seq %tiles as %r : !pattern.array<32, f32> {
      %l = pattern.map_local %r as %e : f32 {
        %s = arith.addf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<32, f32>
      %t = pattern.to_local %l : !pattern.array<32, f32>
      %rev = pattern.reorder_stride %t by 4 : !pattern.array<32, f32>
      %o = pattern.map_local %rev as %e : f32 {
        %s = arith.mulf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<32, f32>
      pattern.yield %o : !pattern.array<32, f32>
    } : !pattern.array<3, 32, f32>
    pattern.yield %q : !pattern.array<3, 32, f32>
  } : !pattern.array<2, 3, 32, f32>
  func.return %g : !pattern.array<2, 3, 32, f32>
}

// CHECK-LABEL: ocl.kernel @tiles_in_turn_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 32, 1, 1>} {
// CHECK-NEXT:   %local1_array = ocl.local_alloc : !ocl.ptr<!ocl.array<32 x f32>, local>
// CHECK-NEXT:   %local1 = ocl.cast %local1_array : !ocl.ptr<!ocl.array<32 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 3 : index
// CHECK-NEXT:   %3 = arith.constant 96 : index
// CHECK-NEXT:   %4 = arith.constant 32 : index
// CHECK-NEXT:   %5 = arith.constant 8 : index
// CHECK-NEXT:   %6 = arith.constant 4 : index
// CHECK-NEXT:   %group0 = ocl.group_id 0 : index
// CHECK-NEXT:   scf.for %i = %0 to %2 step %1 {
// CHECK-NEXT:     %item0 = ocl.local_id 0 : index
// CHECK-NEXT:     %7 = arith.muli %group0, %3 : index
// CHECK-NEXT:     %8 = arith.muli %i, %4 : index
// CHECK-NEXT:     %9 = arith.addi %7, %8 : index
// CHECK-NEXT:     %10 = arith.addi %9, %item0 : index
// CHECK-NEXT:     %11 = ocl.load %x[%10] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %s = arith.addf %11, %11 : f32
// CHECK-NEXT:     ocl.barrier local
// CHECK-NEXT:     ocl.store %s, %local1[%item0] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %12 = arith.remui %item0, %5 : index
// CHECK-NEXT:     %13 = arith.muli %12, %6 : index
// CHECK-NEXT:     %14 = arith.divui %item0, %5 : index
// CHECK-NEXT:     %15 = arith.addi %13, %14 : index
// CHECK-NEXT:     ocl.barrier local
// CHECK-NEXT:     %16 = ocl.load %local1[%15] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %s_1 = arith.mulf %16, %16 : f32
// CHECK-NEXT:     %17 = arith.addi %7, %8 : index
// CHECK-NEXT:     %18 = arith.addi %17, %item0 : index
// CHECK-NEXT:     ocl.store %s_1, %out[%18] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @tiles_in_turn(%x: !pattern.array<2, 3, 32, f32>) -> !pattern.array<2, 3, 32, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<2, 3, 32, f32>
// CHECK-NEXT:   pattern.launch @tiles_in_turn_0 global [64] local [32] (%x, %out) : !pattern.array<2, 3, 32, f32>, !pattern.array<2, 3, 32, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<2, 3, 32, f32>
// CHECK-NEXT: }

// -----

// A tree in three steps: eight sums become one. The sizes of the steps differ, and each has code
// of its own; two local buffers are enough, each step reads one and writes the other. The copy at
// the end is by the work-item that made the last sum: no barrier.

func.func @tree(%x : !pattern.array<4, 8, f32>) -> !pattern.array<4, 1, f32> {
  %z = arith.constant 0.0 : f32
  %g = pattern.map_workgroup %x as %r : !pattern.array<8, f32> {
    %l = pattern.map_local %r as %e : f32 {
      %s = math.absf %e : f32
      pattern.yield %s : f32
    } : !pattern.array<8, f32>
    %t = pattern.to_local %l : !pattern.array<8, f32>
    %i = pattern.iterate 3 %t size S as %v : !pattern.array<2*S, f32> {
      %p = pattern.split %v by 2 : !pattern.array<S, 2, f32>
      %m = pattern.map_local %p as %pair : !pattern.array<2, f32> {
        %a = pattern.reduce_seq %pair init %z as %acc : f32, %e : f32 unroll {
          %u = arith.addf %acc, %e : f32
          pattern.yield %u : f32
        } : !pattern.array<1, f32>
        pattern.yield %a : !pattern.array<1, f32>
      } : !pattern.array<S, 1, f32>
      %k = pattern.join %m : !pattern.array<S, f32>
      %loc = pattern.to_local %k : !pattern.array<S, f32>
      pattern.yield %loc : !pattern.array<S, f32>
    } : !pattern.array<1, f32>
    %o = pattern.map_local %i as %e : f32 {
      pattern.yield %e : f32
    } : !pattern.array<1, f32>
    pattern.yield %o : !pattern.array<1, f32>
  } : !pattern.array<4, 1, f32>
  func.return %g : !pattern.array<4, 1, f32>
}

// CHECK-LABEL: ocl.kernel @tree_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 8, 1, 1>} {
// CHECK-NEXT:   %local1 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x f32>, local>
// CHECK-NEXT:   %local1_1 = ocl.cast %local1 : !ocl.ptr<!ocl.array<8 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:   %local3 = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x f32>, local>
// CHECK-NEXT:   %local3_1 = ocl.cast %local3 : !ocl.ptr<!ocl.array<4 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:   %0 = arith.constant 8 : index
// CHECK-NEXT:   %1 = arith.constant 4 : index
// CHECK-NEXT:   %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %2 = arith.constant 2 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   %4 = arith.constant 0 : index
// CHECK-NEXT:   %group0 = ocl.group_id 0 : index
// CHECK-NEXT:   %item0 = ocl.local_id 0 : index
// CHECK-NEXT:   %5 = arith.muli %group0, %0 : index
// CHECK-NEXT:   %6 = arith.addi %5, %item0 : index
// CHECK-NEXT:   %7 = ocl.load %x[%6] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %s = math.absf %7 : f32
// CHECK-NEXT:   ocl.store %s, %local1_1[%item0] : !ocl.ptr<f32, local>
// CHECK-NEXT:   %8 = arith.cmpi ult, %item0, %1 : index
// CHECK-NEXT:   ocl.barrier local
// CHECK-NEXT:   scf.if %8 {
// CHECK-NEXT:     %9 = arith.muli %item0, %2 : index
// CHECK-NEXT:     %10 = ocl.load %local1_1[%9] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %u = arith.addf %z, %10 : f32
// CHECK-NEXT:     %11 = arith.addi %9, %3 : index
// CHECK-NEXT:     %12 = ocl.load %local1_1[%11] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %u_1 = arith.addf %u, %12 : f32
// CHECK-NEXT:     ocl.store %u_1, %local3_1[%item0] : !ocl.ptr<f32, local>
// CHECK-NEXT:   }
// CHECK-NEXT:   %13 = arith.cmpi ult, %item0, %2 : index
// CHECK-NEXT:   ocl.barrier local
// CHECK-NEXT:   scf.if %13 {
// CHECK-NEXT:     %14 = arith.muli %item0, %2 : index
// CHECK-NEXT:     %15 = ocl.load %local3_1[%14] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %u_2 = arith.addf %z, %15 : f32
// CHECK-NEXT:     %16 = arith.addi %14, %3 : index
// CHECK-NEXT:     %17 = ocl.load %local3_1[%16] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %u_3 = arith.addf %u_2, %17 : f32
// CHECK-NEXT:     ocl.store %u_3, %local1_1[%item0] : !ocl.ptr<f32, local>
// CHECK-NEXT:   }
// CHECK-NEXT:   %18 = arith.cmpi ult, %item0, %3 : index
// CHECK-NEXT:   ocl.barrier local
// CHECK-NEXT:   scf.if %18 {
// CHECK-NEXT:     %19 = ocl.load %local1_1[%4] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %u_4 = arith.addf %z, %19 : f32
// CHECK-NEXT:     %20 = ocl.load %local1_1[%3] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %u_5 = arith.addf %u_4, %20 : f32
// CHECK-NEXT:     ocl.store %u_5, %local3_1[%4] : !ocl.ptr<f32, local>
// CHECK-NEXT:   }
// CHECK-NEXT:   %21 = arith.cmpi ult, %item0, %3 : index
// CHECK-NEXT:   scf.if %21 {
// CHECK-NEXT:     %22 = ocl.load %local3_1[%4] : !ocl.ptr<f32, local>
// CHECK-NEXT:     ocl.store %22, %out[%group0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @tree(%x: !pattern.array<4, 8, f32>) -> !pattern.array<4, 1, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<4, 1, f32>
// CHECK-NEXT:   pattern.launch @tree_0 global [32] local [8] (%x, %out) : !pattern.array<4, 8, f32>, !pattern.array<4, 1, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<4, 1, f32>
// CHECK-NEXT: }

// -----

// Five rows for four rows of work-items. The barrier is inside of the loop over rows, which all
// work-items therefore go through; those without a row read the last one and write nothing.

func.func @rows(%x : !pattern.array<2, 5, 16, f32>) -> !pattern.array<2, 5, 16, f32>
    attributes {pattern.ndrange = [[#pattern.nat<32>, #pattern.nat<16>], [#pattern.nat<4>, #pattern.nat<4>]]} {
  %g = pattern.map_workgroup %x as %tile : !pattern.array<5, 16, f32> {
    %o = pattern.map_local %tile as %row : !pattern.array<16, f32> dim 1 {
      %m = pattern.map_local %row as %e : f32 {
        %s = arith.addf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<16, f32>
      %t = pattern.to_local %m : !pattern.array<16, f32>
      %rev = pattern.reorder_stride %t by 4 : !pattern.array<16, f32>
      %n = pattern.map_local %rev as %e : f32 {
        %s = arith.mulf %e, %e : f32
        pattern.yield %s : f32
      } : !pattern.array<16, f32>
      pattern.yield %n : !pattern.array<16, f32>
    } : !pattern.array<5, 16, f32>
    pattern.yield %o : !pattern.array<5, 16, f32>
  } : !pattern.array<2, 5, 16, f32>
  func.return %g : !pattern.array<2, 5, 16, f32>
}

// CHECK-LABEL: ocl.kernel @rows_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 4, 1>} {
// CHECK-NEXT:   %local1_array = ocl.local_alloc : !ocl.ptr<!ocl.array<80 x f32>, local>
// CHECK-NEXT:   %local1 = ocl.cast %local1_array : !ocl.ptr<!ocl.array<80 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 2 : index
// CHECK-NEXT:   %3 = arith.constant 4 : index
// CHECK-NEXT:   %4 = arith.constant 5 : index
// CHECK-NEXT:   %5 = arith.constant 80 : index
// CHECK-NEXT:   %6 = arith.constant 16 : index
// CHECK-NEXT:   %group0 = ocl.group_id 0 : index
// CHECK-NEXT:   %item1 = ocl.local_id 1 : index
// CHECK-NEXT:   scf.for %t = %0 to %2 step %1 {
// CHECK-NEXT:     %7 = arith.muli %t, %3 : index
// CHECK-NEXT:     %8 = arith.addi %item1, %7 : index
// CHECK-NEXT:     %9 = arith.cmpi ult, %8, %4 : index
// CHECK-NEXT:     %10 = arith.minui %8, %3 : index
// CHECK-NEXT:     scf.if %9 {
// CHECK-NEXT:       %item0 = ocl.local_id 0 : index
// CHECK-NEXT:       %11 = arith.muli %group0, %5 : index
// CHECK-NEXT:       %12 = arith.muli %10, %6 : index
// CHECK-NEXT:       %13 = arith.addi %11, %12 : index
// CHECK-NEXT:       %14 = arith.addi %13, %item0 : index
// CHECK-NEXT:       %15 = ocl.load %x[%14] : !ocl.ptr<f32, global>
// CHECK-NEXT:       %s = arith.addf %15, %15 : f32
// CHECK-NEXT:       %16 = arith.addi %12, %item0 : index
// CHECK-NEXT:       ocl.store %s, %local1[%16] : !ocl.ptr<f32, local>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.barrier local
// CHECK-NEXT:     scf.if %9 {
// CHECK-NEXT:       %item0_1 = ocl.local_id 0 : index
// CHECK-NEXT:       %17 = arith.remui %item0_1, %3 : index
// CHECK-NEXT:       %18 = arith.muli %17, %3 : index
// CHECK-NEXT:       %19 = arith.divui %item0_1, %3 : index
// CHECK-NEXT:       %20 = arith.addi %18, %19 : index
// CHECK-NEXT:       %21 = arith.muli %10, %6 : index
// CHECK-NEXT:       %22 = arith.addi %20, %21 : index
// CHECK-NEXT:       %23 = ocl.load %local1[%22] : !ocl.ptr<f32, local>
// CHECK-NEXT:       %s_1 = arith.mulf %23, %23 : f32
// CHECK-NEXT:       %24 = arith.muli %group0, %5 : index
// CHECK-NEXT:       %25 = arith.addi %24, %21 : index
// CHECK-NEXT:       %26 = arith.addi %25, %item0_1 : index
// CHECK-NEXT:       ocl.store %s_1, %out[%26] : !ocl.ptr<f32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @rows(%x: !pattern.array<2, 5, 16, f32>) -> !pattern.array<2, 5, 16, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<2, 5, 16, f32>
// CHECK-NEXT:   pattern.launch @rows_0 global [32, 4] local [16, 4] (%x, %out) : !pattern.array<2, 5, 16, f32>, !pattern.array<2, 5, 16, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<2, 5, 16, f32>
// CHECK-NEXT: }
