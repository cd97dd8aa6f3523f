// RUN: ocl-opt %s -p carry-chosen --split-input-file | filecheck %s

// The place of the largest element: the element is carried, too. The first iteration reads the element at the first place,
// and there may be no iteration.
func.func @largest(%x: !ocl.ptr<f32, global>, %n: index, %first: index) -> index {
  %c1 = arith.constant 1 : index
  %place = scf.for %i = %c1 to %n step %c1 iter_args(%b = %first) -> (index) {
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
    %w = ocl.load %x[%b] : !ocl.ptr<f32, global>
    %c = arith.cmpf ogt, %v, %w : f32
    %d = arith.select %c, %i, %b : index
    scf.yield %d : index
  }
  func.return %place : index
}
// CHECK-LABEL: func.func @largest
// CHECK:         [[RUNS:%.*]] = arith.cmpi slt, %c1, %n : index
// CHECK-NEXT:    [[START:%.*]] = scf.if [[RUNS]] -> (f32) {
// CHECK-NEXT:      [[FIRST:%.*]] = ocl.load %x[%first] : !ocl.ptr<f32, global>
// CHECK-NEXT:      scf.yield [[FIRST]] : f32
// CHECK:         scf.for %i = %c1 to %n step %c1 iter_args(%b = %first, %w = [[START]]) -> (index, f32) {
// CHECK-NEXT:      %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %c = arith.cmpf ogt, %v, %w : f32
// CHECK-NEXT:      %d = arith.select %c, %i, %b : index
// CHECK-NEXT:      [[NEXT:%.*]] = arith.select %c, %v, %w : f32
// CHECK-NEXT:      scf.yield %d, [[NEXT]] : index, f32

// -----

// The place of the next iteration is none that this one reads.
func.func @other_place(%x: !ocl.ptr<f32, global>, %n: index, %first: index) -> index {
  %c1 = arith.constant 1 : index
  %place = scf.for %i = %c1 to %n step %c1 iter_args(%b = %first) -> (index) {
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
    %w = ocl.load %x[%b] : !ocl.ptr<f32, global>
    %c = arith.cmpf ogt, %v, %w : f32
    %j = arith.addi %i, %c1 : index
    %d = arith.select %c, %j, %b : index
    scf.yield %d : index
  }
  func.return %place : index
}
// CHECK-LABEL: func.func @other_place
// CHECK:         %w = ocl.load %x[%b] : !ocl.ptr<f32, global>

// -----

// The loop writes to the memory.
func.func @written(%x: !ocl.ptr<f32, global>, %n: index, %first: index) -> index {
  %c1 = arith.constant 1 : index
  %place = scf.for %i = %c1 to %n step %c1 iter_args(%b = %first) -> (index) {
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
    %w = ocl.load %x[%b] : !ocl.ptr<f32, global>
    %c = arith.cmpf ogt, %v, %w : f32
    %d = arith.select %c, %i, %b : index
    ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
    scf.yield %d : index
  }
  func.return %place : index
}
// CHECK-LABEL: func.func @written
// CHECK:         %w = ocl.load %x[%b] : !ocl.ptr<f32, global>
