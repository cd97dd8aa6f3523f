// RUN: ocl-opt %s -p "wg-lower-contexts{most=8192}" --split-input-file --verify-diagnostics | filecheck %s

// The local size is known at the launch only: an array has as many slots as a group can have
// work-items, and slot (z * Ly + y) * Lx + x is computed from the launch's sizes.
// CHECK-LABEL: wg.func @values
// CHECK:       %[[X:.*]] = ocl.local_size 0 : index
// CHECK-NEXT:  %[[Y:.*]] = ocl.local_size 1 : index
// CHECK-NEXT:  %[[Z:.*]] = ocl.local_size 2 : index
// CHECK:       ocl.alloca : !ocl.ptr<!ocl.array<8192 x i8>, private>
// CHECK:       wg.parallel (%x, %y, %z)
// CHECK:         %[[ZY:.*]] = arith.muli %z, %[[Y]] : index
// CHECK-NEXT:    %[[ROW:.*]] = arith.addi %[[ZY]], %y : index
// CHECK-NEXT:    %[[FIRST:.*]] = arith.muli %[[ROW]], %[[X]] : index
// CHECK-NEXT:    %[[SLOT:.*]] = arith.addi %[[FIRST]], %x : index
// CHECK:         ocl.store %{{.*}}, %flags[%[[SLOT]]] : !ocl.ptr<i8, private>
wg.func @values() {
  %lx = ocl.local_size 0 : index
  %ly = ocl.local_size 1 : index
  %lz = ocl.local_size 2 : index
  %flags = wg.context : !wg.context<i1>
  wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
    %yes = arith.constant true
    wg.put %yes, %flags[%x, %y, %z] : !wg.context<i1>
  }
  // Any: over the slots that the group has.
  // CHECK:       %[[XY:.*]] = arith.muli %[[X]], %[[Y]] : index
  // CHECK-NEXT:  %[[COUNT:.*]] = arith.muli %[[XY]], %[[Z]] : index
  // CHECK:       scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1
  %any = wg.any %flags : !wg.context<i1>
  wg.return
}

// -----

// Rows of a reduction need a constant size.
// CHECK: 'wg.reduce' needs a constant local size: run ocl-set-local-size
wg.func @sum() {
  %c = wg.context : !wg.context<f32>
  %total = wg.reduce add 16 %c : !wg.context<f32>
  wg.return
}
