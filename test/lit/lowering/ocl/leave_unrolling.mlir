// RUN: ocl-opt %s -p leave-unrolling | filecheck %s

// A column of a matrix, and a number that stays.
// CHECK-LABEL: func.func @column
func.func @column(%x: !ocl.ptr<f32, global>, %y: !ocl.ptr<f32, global>, %n: index, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %at = arith.muli %i, %w : index
    %v = ocl.load %x[%at] : !ocl.ptr<f32, global>
    %u = ocl.load %y[%w] : !ocl.ptr<f32, global>
    %p = arith.mulf %v, %u : f32
    %t = arith.addf %s, %p : f32
    scf.yield %t : f32
  // CHECK: } {ocl.unroll = -1 : i32}
  }
  ocl.store %sum, %y[%c0] : !ocl.ptr<f32, global>
  func.return
}

// A row beside it: offsets that are constant are worth it. Nor is a loop left that has a hint, a
// constant trip count, a loop in it, or accesses of which nothing is known.
// CHECK-LABEL: func.func @others
// CHECK-NOT: ocl.unroll = -1
// CHECK: ocl.unroll = 4
// CHECK-NOT: ocl.unroll = -1
func.func @others(%x: !ocl.ptr<f32, global>, %k: !ocl.ptr<i32, global>, %n: index, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %n step %c1 {
    %at = arith.muli %i, %w : index
    %v = ocl.load %x[%at] : !ocl.ptr<f32, global>
    ocl.store %v, %x[%i] : !ocl.ptr<f32, global>
  }
  scf.for %i = %c0 to %n step %c1 {
    %at = arith.muli %i, %w : index
    %v = ocl.load %k[%at] : !ocl.ptr<i32, global>
    ocl.store %v, %k[%at] : !ocl.ptr<i32, global>
  } {ocl.unroll = 4 : i32}
  scf.for %i = %c0 to %c9 step %c1 {
    %at = arith.muli %i, %w : index
    %v = ocl.load %x[%at] : !ocl.ptr<f32, global>
    ocl.store %v, %x[%at] : !ocl.ptr<f32, global>
  }
  scf.for %i = %c0 to %n step %c1 {
    %at = arith.muli %i, %w : index
    %v = ocl.load %x[%at] : !ocl.ptr<f32, global>
    scf.for %j = %c0 to %c9 step %c1 {
      ocl.store %v, %x[%j] : !ocl.ptr<f32, global>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = ocl.load %k[%i] : !ocl.ptr<i32, global>
    %at = arith.index_cast %j : i32 to index
    %v = ocl.load %x[%at] : !ocl.ptr<f32, global>
    ocl.store %v, %x[%at] : !ocl.ptr<f32, global>
  }
  func.return
}
