// RUN: ocl-opt %s -p wg-mask-rows | filecheck %s
// RUN: ocl-opt %s -p 'wg-mask-rows{masks=false}' | filecheck %s --check-prefix WITHOUT
// RUN: ocl-opt %s -p wg-mask-rows,wg-to-scf,wg-to-launch,scf-to-cf,convert-to-llvm -t llvm-ir | filecheck %s --check-prefix LLVM

// A row for each work-item, whose length the group knows: short rows have a region of their own.
// CHECK-LABEL: wg.func @row(
// CHECK:         %[[COUNT:.*]] = arith.subi %n, %c0 : index
// CHECK-NEXT:    %[[SHORT:.*]] = arith.constant 16 : index
// CHECK-NEXT:    %[[IS:.*]] = arith.cmpi ule, %[[COUNT]], %[[SHORT]] : index
// CHECK-NEXT:    scf.if %[[IS]] {
// CHECK:           wg.parallel
// CHECK:             scf.for
// CHECK:             } {ocl.unroll = -5 : i32}
// CHECK:         } else {
// CHECK:           wg.parallel
// CHECK:             scf.for
// CHECK-NOT:         ocl.unroll
// CHECK:         wg.return
// WITHOUT-NOT: scf.if
// LLVM-DAG:    !"llvm.loop.vectorize.enable", i1 1
// LLVM-DAG:    !"llvm.loop.vectorize.predicate.enable", i1 1
wg.func @row(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %i: i64 {ocl.name = "i"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %i : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %row = arith.muli %x, %n : index
    scf.for %j = %c0 to %n step %c1 {
      %at = arith.addi %row, %j : index
      %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
      %w = arith.mulf %v, %v : f32
      ocl.store %w, %out[%at] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// Each work-item has a length of its own, here; a sum of floats has an order; 64 iterations are
// four vectors; and the lanes of the last region are work-items. All stay.
// CHECK-LABEL: wg.func @others(
// CHECK-NOT:     scf.if
// CHECK-NOT:     ocl.unroll
// CHECK:         wg.return
wg.func @others(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %i: i64 {ocl.name = "i"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %i : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    scf.for %j = %c0 to %x step %c1 {
      %v = ocl.load %in[%j] : !ocl.ptr<f32, global>
      ocl.store %v, %out[%j] : !ocl.ptr<f32, global>
    }
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%old = %zero) -> (f32) {
      %v = ocl.load %in[%j] : !ocl.ptr<f32, global>
      %new = arith.addf %old, %v : f32
      scf.yield %new : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
    scf.for %j = %c0 to %c64 step %c1 {
      %v = ocl.load %in[%j] : !ocl.ptr<f32, global>
      ocl.store %v, %out[%j] : !ocl.ptr<f32, global>
    }
  }
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) step (16, 1, 1) {
    scf.for %j = %c0 to %n step %c1 {
      %v = ocl.load %in[%j] : !ocl.ptr<f32, global>
      ocl.store %v, %out[%j] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}
