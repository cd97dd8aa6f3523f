// RUN: ocl-opt %s -p parallel-to-launch --split-input-file | filecheck %s
// A work-item for each iteration.

// Bounds and steps: iteration 0 is at %a.
// CHECK:      func.func @every(%x: memref<?xf32>, %a: index, %b: index, %v: f32) {
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %0 = arith.subi %b, %a : index
// CHECK-NEXT:   %1 = arith.ceildivsi %0, %c2 : index
// CHECK-NEXT:   %2 = arith.constant 1 : index
// CHECK-NEXT:   "gpu.launch"(%1, %2, %2, %2, %2, %2) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
// CHECK-NEXT:   ^bb0(%3: index, %4: index, %5: index, %6: index, %7: index, %8: index, %9: index, %10: index, %11: index, %12: index, %13: index, %14: index):
// CHECK-NEXT:     %15 = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
// CHECK-NEXT:     %16 = arith.muli %15, %c2 : index
// CHECK-NEXT:     %i = arith.addi %a, %16 : index
// CHECK-NEXT:     memref.store %v, %x[%i] : memref<?xf32>
// CHECK-NEXT:     "gpu.terminator"() : () -> ()
// CHECK-NEXT:   }) : (index, index, index, index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @every(%x: memref<?xf32>, %a: index, %b: index, %v: f32) {
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%a) to (%b) step (%c2) {
    memref.store %v, %x[%i] : memref<?xf32>
  }
  func.return
}

// -----

// Four dimensions: the first two share z.
// CHECK:      func.func @four(%x: memref<2x3x4x5xf32>, %v: f32) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c2 = arith.constant 2 : index
// CHECK-NEXT:   %c3 = arith.constant 3 : index
// CHECK-NEXT:   %c4 = arith.constant 4 : index
// CHECK-NEXT:   %c5 = arith.constant 5 : index
// CHECK-NEXT:   %0 = arith.constant 1 : index
// CHECK-NEXT:   %1 = arith.muli %c2, %c3 : index
// CHECK-NEXT:   "gpu.launch"(%c5, %c4, %1, %0, %0, %0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
// CHECK-NEXT:   ^bb0(%2: index, %3: index, %4: index, %5: index, %6: index, %7: index, %8: index, %9: index, %10: index, %11: index, %12: index, %13: index):
// CHECK-NEXT:     %14 = "gpu.global_id"() <{dimension = #gpu<dim z>}> : () -> index
// CHECK-NEXT:     %k = "gpu.global_id"() <{dimension = #gpu<dim y>}> : () -> index
// CHECK-NEXT:     %l = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
// CHECK-NEXT:     %j = arith.remui %14, %c3 : index
// CHECK-NEXT:     %i = arith.divui %14, %c3 : index
// CHECK-NEXT:     memref.store %v, %x[%i, %j, %k, %l] : memref<2x3x4x5xf32>
// CHECK-NEXT:     "gpu.terminator"() : () -> ()
// CHECK-NEXT:   }) : (index, index, index, index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @four(%x: memref<2x3x4x5xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.parallel (%i, %j, %k, %l) = (%c0, %c0, %c0, %c0) to (%c2, %c3, %c4, %c5)
      step (%c1, %c1, %c1, %c1) {
    memref.store %v, %x[%i, %j, %k, %l] : memref<2x3x4x5xf32>
  }
  func.return
}

// -----

// A loop that reduces, and what accesses memory outside of parallel loops, is one work-item's.
// CHECK:      func.func @sum(%x: memref<8xi32>, %y: memref<i32>) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c8 = arith.constant 8 : index
// CHECK-NEXT:   %0 = arith.constant 1 : index
// CHECK-NEXT:   "gpu.launch"(%0, %0, %0, %0, %0, %0) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
// CHECK-NEXT:   ^bb0(%1: index, %2: index, %3: index, %4: index, %5: index, %6: index, %7: index, %8: index, %9: index, %10: index, %11: index, %12: index):
// CHECK-NEXT:     %first = memref.load %y[] : memref<i32>
// CHECK-NEXT:     %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %first) -> (i32) {
// CHECK-NEXT:       %v = memref.load %x[%i] : memref<8xi32>
// CHECK-NEXT:       %t = arith.addi %a, %v : i32
// CHECK-NEXT:       scf.yield %t : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.store %s, %y[] : memref<i32>
// CHECK-NEXT:     "gpu.terminator"() : () -> ()
// CHECK-NEXT:   }) : (index, index, index, index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @sum(%x: memref<8xi32>, %y: memref<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.load %y[] : memref<i32>
  %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%first) -> i32 {
    %v = memref.load %x[%i] : memref<8xi32>
    scf.reduce(%v : i32) {
    ^bb0(%a: i32, %b: i32):
      %t = arith.addi %a, %b : i32
      scf.reduce.return %t : i32
    }
  }
  memref.store %s, %y[] : memref<i32>
  func.return
}
