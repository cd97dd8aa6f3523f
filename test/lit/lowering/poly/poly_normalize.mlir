// RUN: ocl-opt %s -p poly-normalize | filecheck %s

// Work-items have different lower bounds: they count iterations, and compute their position.
wg.func @window(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %r32: i32 {ocl.name = "r"}) {
  %r = arith.index_cast %r32 : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %from = arith.subi %x, %r : index
    %left = arith.maxsi %from, %c0 : index
    %to = arith.addi %x, %r : index
    scf.for %i = %left to %to step %c1 {
      %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
      ocl.store %v, %in[%x] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @window(
// CHECK:          %left = arith.maxsi %from, %c0 : index
// CHECK-NEXT:     %to = arith.addi %x, %r : index
// CHECK-NEXT:     %[[n:.*]] = arith.subi %to, %left : index
// CHECK-NEXT:     %[[zero:.*]] = arith.constant 0 : index
// CHECK-NEXT:     %[[one:.*]] = arith.constant 1 : index
// CHECK-NEXT:     scf.for %k = %[[zero]] to %[[n]] step %[[one]] {
// CHECK-NEXT:       %i = arith.addi %left, %k : index
// CHECK-NEXT:       %v = ocl.load %in[%i]

// Steps are counted, too: (to - left + 2) / 3 of them.
wg.func @steps(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %n32: i32 {ocl.name = "n"}) {
  %n = arith.index_cast %n32 : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    scf.for %i = %x to %n step %c3 {
      %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
      ocl.store %v, %in[%x] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @steps(
// CHECK:          %[[length:.*]] = arith.subi %n, %x : index
// CHECK-NEXT:     %[[two:.*]] = arith.constant 2 : index
// CHECK-NEXT:     %[[more:.*]] = arith.addi %[[length]], %[[two]] : index
// CHECK-NEXT:     %[[three:.*]] = arith.constant 3 : index
// CHECK-NEXT:     %[[n:.*]] = arith.divsi %[[more]], %[[three]] : index
// CHECK:          scf.for %k = %{{.*}} to %[[n]] step %{{.*}} {
// CHECK-NEXT:       %[[three2:.*]] = arith.constant 3 : index
// CHECK-NEXT:       %[[far:.*]] = arith.muli %k, %[[three2]] : index
// CHECK-NEXT:       %i = arith.addi %x, %[[far]] : index

// A loop that counts like that already, and one whose step is not known, stay.
wg.func @same(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %n32: i32 {ocl.name = "n"}) {
  %n = arith.index_cast %n32 : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    scf.for %i = %c0 to %x step %c1 {
      %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
      ocl.store %v, %in[%x] : !ocl.ptr<f32, global>
    }
    scf.for %i = %x to %n step %n {
      %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
      ocl.store %v, %in[%x] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @same(
// CHECK:          scf.for %i = %c0 to %x step %c1 {
// CHECK:          scf.for %i_1 = %x to %n step %n {

// The difference of numbers of 64 bits could wrap where the end is far below the start.
wg.func @wide(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %n64: i64 {ocl.name = "n"}) {
  %n = arith.index_cast %n64 : i64 to index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    scf.for %i = %x to %n step %c1 {
      %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
      ocl.store %v, %in[%x] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @wide(
// CHECK:          %[[end:.*]] = arith.maxsi %n, %x : index
// CHECK-NEXT:     %[[n:.*]] = arith.subi %[[end]], %x : index
