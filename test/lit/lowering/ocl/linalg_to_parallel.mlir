// RUN: ocl-opt %s -p linalg-to-parallel --split-input-file | filecheck %s
// Parallel iterators are dimensions of scf.parallel, the others loops that carry what they compute.

// The sizes of one loop that are known at run time only are asserted to be equal.
// CHECK:      func.func @matmul(%A: memref<?x8xf32>, %B: memref<8x16xf32>, %C: memref<?x16xf32>) {
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = memref.dim %A, %0 : memref<?x8xf32>
// CHECK-NEXT:   %2 = arith.constant 0 : index
// CHECK-NEXT:   %3 = memref.dim %C, %2 : memref<?x16xf32>
// CHECK-NEXT:   %4 = arith.cmpi eq, %1, %3 : index
// CHECK-NEXT:   cf.assert %4, "linalg.matmul: dimension 0 of %A and dimension 0 of %C differ"
// CHECK-NEXT:   %5 = arith.constant 16 : index
// CHECK-NEXT:   %6 = arith.constant 8 : index
// CHECK-NEXT:   %7 = arith.constant 0 : index
// CHECK-NEXT:   %8 = arith.constant 1 : index
// CHECK-NEXT:   "scf.parallel"(%7, %7, %1, %5, %8, %8) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
// CHECK-NEXT:   ^bb0(%9: index, %10: index):
// CHECK-NEXT:     %11 = memref.load %C[%9, %10] : memref<?x16xf32>
// CHECK-NEXT:     %12 = scf.for %13 = %7 to %6 step %8 iter_args(%14 = %11) -> (f32) {
// CHECK-NEXT:       %15 = memref.load %A[%9, %13] : memref<?x8xf32>
// CHECK-NEXT:       %16 = memref.load %B[%13, %10] : memref<8x16xf32>
// CHECK-NEXT:       %17 = arith.mulf %15, %16 : f32
// CHECK-NEXT:       %18 = arith.addf %17, %14 : f32
// CHECK-NEXT:       scf.yield %18 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.store %12, %C[%9, %10] : memref<?x16xf32>
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }) : (index, index, index, index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @matmul(%A: memref<?x8xf32>, %B: memref<8x16xf32>, %C: memref<?x16xf32>) {
  linalg.matmul ins(%A, %B : memref<?x8xf32>, memref<8x16xf32>) outs(%C : memref<?x16xf32>)
  func.return
}

// -----

// An elementwise operation has no loop; what it writes is not read.
// CHECK:      func.func @add(%x: memref<4x6xf32>, %y: memref<4x6xf32>) {
// CHECK-NEXT:   %0 = arith.constant 4 : index
// CHECK-NEXT:   %1 = arith.constant 6 : index
// CHECK-NEXT:   %2 = arith.constant 0 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   "scf.parallel"(%2, %2, %0, %1, %3, %3) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
// CHECK-NEXT:   ^bb0(%4: index, %5: index):
// CHECK-NEXT:     %6 = memref.load %x[%4, %5] : memref<4x6xf32>
// CHECK-NEXT:     %7 = memref.load %y[%4, %5] : memref<4x6xf32>
// CHECK-NEXT:     %8 = arith.addf %6, %7 : f32
// CHECK-NEXT:     memref.store %8, %y[%4, %5] : memref<4x6xf32>
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }) : (index, index, index, index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @add(%x: memref<4x6xf32>, %y: memref<4x6xf32>) {
  linalg.add ins(%x, %y : memref<4x6xf32>, memref<4x6xf32>) outs(%y : memref<4x6xf32>)
  func.return
}

// -----

// A convolution: the index of the input is a sum. linalg.index is the counter of a loop.
// CHECK:      func.func @moments(%x: memref<10xf32>, %w: memref<3xf32>, %y: memref<8xf32>) {
// CHECK-NEXT:   %0 = arith.constant 8 : index
// CHECK-NEXT:   %1 = arith.constant 3 : index
// CHECK-NEXT:   %2 = arith.constant 0 : index
// CHECK-NEXT:   %3 = arith.constant 1 : index
// CHECK-NEXT:   "scf.parallel"(%2, %0, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:   ^bb0(%4: index):
// CHECK-NEXT:     %5 = memref.load %y[%4] : memref<8xf32>
// CHECK-NEXT:     %6 = scf.for %i = %2 to %1 step %3 iter_args(%sum = %5) -> (f32) {
// CHECK-NEXT:       %7 = arith.addi %4, %i : index
// CHECK-NEXT:       %a = memref.load %x[%7] : memref<10xf32>
// CHECK-NEXT:       %k = arith.index_cast %i : index to i32
// CHECK-NEXT:       %f = arith.sitofp %k : i32 to f32
// CHECK-NEXT:       %p = arith.mulf %a, %f : f32
// CHECK-NEXT:       %t = arith.addf %sum, %p : f32
// CHECK-NEXT:       scf.yield %t : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.store %6, %y[%4] : memref<8xf32>
// CHECK-NEXT:     scf.reduce
// CHECK-NEXT:   }) : (index, index, index) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
#in = affine_map<(d0, d1) -> (d0 + d1)>
#window = affine_map<(d0, d1) -> (d1)>
#out = affine_map<(d0, d1) -> (d0)>
func.func @moments(%x: memref<10xf32>, %w: memref<3xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : memref<10xf32>, memref<3xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %a, %f : f32
    %t = arith.addf %sum, %p : f32
    linalg.yield %t : f32
  }
  func.return
}

// -----

// Without a parallel iterator there are only loops.
// CHECK:      func.func @largest(%x: memref<9xi32>, %y: memref<i32>) {
// CHECK-NEXT:   %0 = arith.constant 9 : index
// CHECK-NEXT:   %1 = arith.constant 0 : index
// CHECK-NEXT:   %2 = arith.constant 1 : index
// CHECK-NEXT:   %3 = memref.load %y[] : memref<i32>
// CHECK-NEXT:   %4 = scf.for %5 = %1 to %0 step %2 iter_args(%b = %3) -> (i32) {
// CHECK-NEXT:     %a = memref.load %x[%5] : memref<9xi32>
// CHECK-NEXT:     %m = arith.maxsi %a, %b : i32
// CHECK-NEXT:     scf.yield %m : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   memref.store %4, %y[] : memref<i32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
func.func @largest(%x: memref<9xi32>, %y: memref<i32>) {
  linalg.reduce ins(%x:memref<9xi32>) outs(%y:memref<i32>) dimensions = [0]
  (%a: i32, %b: i32) {
    %m = arith.maxsi %a, %b : i32
    linalg.yield %m : i32
  }
  func.return
}
