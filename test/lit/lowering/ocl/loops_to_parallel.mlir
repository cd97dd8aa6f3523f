// RUN: ocl-opt %s -p loops-to-parallel --split-input-file | filecheck %s
// Loops whose iterations write different elements.

// A nest of independent loops is one parallel loop.
// CHECK:      func.func @transpose(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   "scf.parallel"(%c0, %c0, %n, %m, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
// CHECK-NEXT:   ^bb0(%i: index, %j: index):
// CHECK-NEXT:     %v = memref.load %x[%j, %i] : memref<?x?xf32>
// CHECK-NEXT:     memref.store %v, %y[%i, %j] : memref<?x?xf32>
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }) : (index, index, index, index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @transpose(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %x[%j, %i] : memref<?x?xf32>
      memref.store %v, %y[%i, %j] : memref<?x?xf32>
    }
  }
  func.return
}

// -----

// Sums of neighbours in place: sequential along the rows, parallel across them.
// CHECK:      func.func @sums(%x: memref<?x?xf32>, %n: index, %m: index) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   scf.for %j = %c1 to %m step %c1 {
// CHECK-NEXT:     "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:     ^bb0(%i: index):
// CHECK-NEXT:       %k = arith.subi %j, %c1 : index
// CHECK-NEXT:       %a = memref.load %x[%i, %k] : memref<?x?xf32>
// CHECK-NEXT:       %b = memref.load %x[%i, %j] : memref<?x?xf32>
// CHECK-NEXT:       %s = arith.addf %a, %b : f32
// CHECK-NEXT:       memref.store %s, %x[%i, %j] : memref<?x?xf32>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }) : (index, index, index) -> ()
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @sums(%x: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c1 to %m step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %k = arith.subi %j, %c1 : index
      %a = memref.load %x[%i, %k] : memref<?x?xf32>
      %b = memref.load %x[%i, %j] : memref<?x?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %x[%i, %j] : memref<?x?xf32>
    }
  }
  func.return
}
