// RUN: ocl-opt %s -p count-loops | filecheck %s
// RUN: ocl-opt %s -p count-loops{distinct=true} | filecheck %s --check-prefix=DISTINCT
// RUN: ocl-opt %s -p count-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// The loop writes private memory only: the bound is the same in each iteration.
// REMARK: count_loops.mlir:[[# @LINE + 5]]:3: remark: counts to a number that is read once [count-loops]
ocl.kernel @private(%n: !ocl.ptr<i32, global> {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = ocl.alloca : !ocl.ptr<i32, private>
  %i = scf.while (%i0 = %c0) : (i32) -> i32 {
    %bound = ocl.load %n : !ocl.ptr<i32, global>
    %go = arith.cmpi slt, %i0, %bound : i32
    scf.condition(%go) %i0 : i32
  } do {
  ^bb0(%i1: i32):
    ocl.store %i1, %sum : !ocl.ptr<i32, private>
    %next = arith.addi %i1, %c1 : i32
    scf.yield %next : i32
  }
  ocl.store %i, %n : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @private
// CHECK:         %[[N:.*]] = ocl.load %n
// CHECK:         %[[UB:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[UB]] step %{{.*}} {
// CHECK-NEXT:      %[[I1:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT:      ocl.store %[[I1]], %sum
// CHECK:         %[[LAST:.*]] = arith.maxsi %c0, %[[N]] : i32
// CHECK:         ocl.store %[[LAST]], %n

// A store to another parameter changes it only if the buffers may be the same.
ocl.kernel @other(%n: !ocl.ptr<i32, global> {ocl.name = "n"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = scf.while (%i0 = %c0) : (i32) -> i32 {
    %bound = ocl.load %n : !ocl.ptr<i32, global>
    %go = arith.cmpi ult, %i0, %bound : i32
    scf.condition(%go) %i0 : i32
  } do {
  ^bb0(%i1: i32):
    ocl.store %i1, %out : !ocl.ptr<i32, global>
    %next = arith.addi %i1, %c1 : i32
    scf.yield %next : i32
  }
  ocl.return
}

// CHECK-LABEL:    ocl.kernel @other
// CHECK:            scf.while
// DISTINCT-LABEL: ocl.kernel @other
// DISTINCT:         arith.extui %{{.*}} : i32 to i64
// DISTINCT:         scf.for

// Another work-item may change the bound at a barrier; a step of 2 may go past the largest number.
ocl.kernel @kept(%n: !ocl.ptr<i32, global> {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %i = scf.while (%i0 = %c0) : (i32) -> i32 {
    %bound = ocl.load %n : !ocl.ptr<i32, global>
    %go = arith.cmpi slt, %i0, %bound : i32
    scf.condition(%go) %i0 : i32
  } do {
  ^bb0(%i1: i32):
    ocl.barrier global
    %next = arith.addi %i1, %c1 : i32
    scf.yield %next : i32
  }
  %j = scf.while (%j0 = %c0) : (i32) -> i32 {
    %bound = ocl.load %n : !ocl.ptr<i32, global>
    %go = arith.cmpi slt, %j0, %bound : i32
    scf.condition(%go) %j0 : i32
  } do {
  ^bb0(%j1: i32):
    %next = arith.addi %j1, %c2 : i32
    scf.yield %next : i32
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @kept
// CHECK-NOT:     scf.for
// CHECK:         scf.while
// CHECK-NOT:     scf.for
// CHECK:         scf.while
