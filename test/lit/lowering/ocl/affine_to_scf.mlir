// RUN: ocl-opt %s -p affine-to-scf --split-input-file | filecheck %s
// Loops, conditions and accesses of affine.

// CHECK:      func.func @stencil(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
// CHECK-NEXT:   %0 = arith.constant 1 : index
// CHECK-NEXT:   %1 = arith.constant -1 : index
// CHECK-NEXT:   %2 = arith.addi %n, %1 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   "scf.parallel"(%0, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:   ^bb0(%i: index):
// CHECK-NEXT:     %4 = arith.constant -1 : index
// CHECK-NEXT:     %5 = arith.addi %i, %4 : index
// CHECK-NEXT:     %a = memref.load %x[%5] : memref<?xf32>
// CHECK-NEXT:     %6 = arith.constant 1 : index
// CHECK-NEXT:     %7 = arith.addi %i, %6 : index
// CHECK-NEXT:     %b = memref.load %x[%7] : memref<?xf32>
// CHECK-NEXT:     %c = arith.addf %a, %b : f32
// CHECK-NEXT:     memref.store %c, %y[%i] : memref<?xf32>
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }) : (index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @stencil(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  affine.parallel (%i) = (1) to (%n - 1) {
    %a = affine.load %x[%i - 1] : memref<?xf32>
    %b = affine.load %x[%i + 1] : memref<?xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %y[%i] : memref<?xf32>
  }
  func.return
}

// -----

// The smaller of two bounds, a step, and a condition.
// CHECK:      func.func @tile(%x: memref<64xi32>, %n: index, %v: i32) {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 64 : index
// CHECK-NEXT:   %2 = arith.minsi %n, %1 : index
// CHECK-NEXT:   %3 = arith.constant 16 : index
// CHECK-NEXT:   "scf.parallel"(%0, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:   ^bb0(%t: index):
// CHECK-NEXT:     %4 = arith.constant 16 : index
// CHECK-NEXT:     %5 = arith.addi %t, %4 : index
// CHECK-NEXT:     %6 = arith.constant 1 : index
// CHECK-NEXT:     scf.for %i = %t to %5 step %6 {
// CHECK-NEXT:       %7 = arith.constant 3 : index
// CHECK-NEXT:       %8 = arith.floordivsi %i, %7 : index
// CHECK-NEXT:       %9 = arith.muli %8, %7 : index
// CHECK-NEXT:       %10 = arith.subi %i, %9 : index
// CHECK-NEXT:       %11 = arith.constant 0 : index
// CHECK-NEXT:       %12 = arith.cmpi eq, %10, %11 : index
// CHECK-NEXT:       scf.if %12 {
// CHECK-NEXT:         memref.store %v, %x[%i] : memref<64xi32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }) : (index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @tile(%x: memref<64xi32>, %n: index, %v: i32) {
  affine.parallel (%t) = (0) to (min(%n, 64)) step (16) {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 16)>(%t) {
      affine.if affine_set<(d0) : (d0 mod 3 == 0)>(%i) {
        affine.store %v, %x[%i] : memref<64xi32>
      }
    }
  }
  func.return
}
