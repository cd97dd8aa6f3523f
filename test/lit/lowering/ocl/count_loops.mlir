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

// It counts down before its iteration, from a number of iterations that is known.
ocl.kernel @down(%n: i32 {ocl.name = "n"}, %x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %i = scf.while (%i0 = %n) : (i32) -> i32 {
    %go = arith.cmpi sgt, %i0, %c3 : i32
    scf.condition(%go) %i0 : i32
  } do {
  ^bb0(%i1: i32):
    %next = arith.subi %i1, %c1 : i32
    ocl.store %next, %x : !ocl.ptr<i32, global>
    scf.yield %next : i32
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @down
// CHECK:         %[[N:.*]] = arith.index_cast %n : i32 to index
// CHECK:         %[[UB:.*]] = arith.subi %[[N]], %{{.*}} : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[UB]] step %{{.*}} iter_args(%[[I:.*]] = %n) -> (i32) {
// CHECK-NEXT:      %[[NEXT:.*]] = arith.subi %[[I]], %c1 : i32

// A pointer goes on to another one, whose distance from the first is known.
ocl.kernel @pointers(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i64 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %far = arith.index_cast %n : i64 to index
  %end = ocl.offset %x[%far] : !ocl.ptr<i32, global>
  %p = scf.while (%p0 = %x) : (!ocl.ptr<i32, global>) -> !ocl.ptr<i32, global> {
    %a = ocl.ptr_to_int %p0 : !ocl.ptr<i32, global>
    %b = ocl.ptr_to_int %end : !ocl.ptr<i32, global>
    %go = arith.cmpi ult, %a, %b : i64
    scf.condition(%go) %p0 : !ocl.ptr<i32, global>
  } do {
  ^bb0(%p1: !ocl.ptr<i32, global>):
    %next = ocl.offset %p1[%c1] : !ocl.ptr<i32, global>
    scf.yield %next : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @pointers
// CHECK:         scf.for %{{.*}} = %{{.*}} to %far step %{{.*}} iter_args(%{{.*}} = %x)

// It is tested after its iteration, which runs at least once.
ocl.kernel @last(%n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %i = scf.while (%i0 = %n) : (i32) -> i32 {
    %next = arith.subi %i0, %c1 : i32
    %go = arith.cmpi ne, %next, %c0 : i32
    scf.condition(%go) %next : i32
  } do {
  ^bb0(%i1: i32):
    scf.yield %i1 : i32
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @last
// CHECK:         %[[FIRST:.*]] = arith.subi %n, %{{.*}} : i32
// CHECK:         %[[WIDE:.*]] = arith.extui %[[FIRST]] : i32 to i64
// CHECK:         arith.maxsi
// CHECK:         scf.for

// A number that moves by other amounts stays.
ocl.kernel @twice(%n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : i32
  %i = scf.while (%i0 = %n) : (i32) -> i32 {
    %go = arith.cmpi ne, %i0, %c1 : i32
    scf.condition(%go) %i0 : i32
  } do {
  ^bb0(%i1: i32):
    %next = arith.shrui %i1, %c1 : i32
    scf.yield %next : i32
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @twice
// CHECK-NOT:     scf.for

// A loop in steps of an argument is counted: pointers do not go past an end of memory, and the step
// is positive where they reach one.
ocl.kernel @stride(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i64 {ocl.name = "n"}, %m: i64 {ocl.name = "m"}) {
  %far = arith.index_cast %n : i64 to index
  %by = arith.index_cast %m : i64 to index
  %end = ocl.offset %x[%far] : !ocl.ptr<i32, global>
  %p = scf.while (%p0 = %x) : (!ocl.ptr<i32, global>) -> !ocl.ptr<i32, global> {
    %a = ocl.ptr_to_int %p0 : !ocl.ptr<i32, global>
    %b = ocl.ptr_to_int %end : !ocl.ptr<i32, global>
    %go = arith.cmpi ult, %a, %b : i64
    scf.condition(%go) %p0 : !ocl.ptr<i32, global>
  } do {
  ^bb0(%p1: !ocl.ptr<i32, global>):
    %next = ocl.offset %p1[%by] : !ocl.ptr<i32, global>
    scf.yield %next : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @stride
// CHECK:         %[[BY:.*]] = arith.maxsi %by, %{{.*}} : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %far step %[[BY]] iter_args(%[[P:.*]] = %x)
// CHECK-NEXT:      ocl.offset %[[P]][%[[BY]]]

// Numbers are counted where the group finds that steps are positive and none goes past the largest
// number; else the loop runs as it was.
ocl.kernel @tested_stride(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}, %by: i32 {ocl.name = "by"}) {
  %c0 = arith.constant 0 : i32
  %i = scf.while (%i0 = %c0) : (i32) -> i32 {
    %go = arith.cmpi slt, %i0, %n : i32
    scf.condition(%go) %i0 : i32
  } do {
  ^bb0(%i1: i32):
    ocl.store %i1, %x : !ocl.ptr<i32, global>
    %next = arith.addi %i1, %by : i32
    scf.yield %next : i32
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @tested_stride
// CHECK:         %[[STEP:.*]] = arith.extsi %by : i32 to i64
// CHECK:         %[[POSITIVE:.*]] = arith.cmpi sgt, %[[STEP]], %{{.*}} : i64
// CHECK:         %[[LAST:.*]] = arith.addi %{{.*}}, %[[STEP]] : i64
// CHECK:         %[[BELOW:.*]] = arith.cmpi sle, %[[LAST]], %{{.*}} : i64
// CHECK:         %[[SURE:.*]] = arith.andi %[[POSITIVE]], %[[BELOW]] : i1
// CHECK:         scf.if %[[SURE]] {
// CHECK:           scf.for
// CHECK:         } else {
// CHECK:           scf.while
// CHECK:         }{wg.likely}

// Steps of an unsigned number may wrap before they meet the bound: `for (ulong k = 0; k + 1 < n; k += 2)`. The
// counter goes on in the same steps, so that it is where the number is.
ocl.kernel @pairs(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i64 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %last = scf.while (%k = %c0) : (i64) -> (i64) {
    %next = arith.addi %k, %c1 : i64
    %more = arith.cmpi ult, %next, %n : i64
    scf.condition(%more) %k : i64
  } do {
  ^bb0(%k: i64):
    %i = arith.index_cast %k : i64 to index
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
    %w = arith.addf %v, %v : f32
    ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
    %after = arith.addi %k, %c2 : i64
    scf.yield %after : i64
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @pairs
// CHECK:         %[[MOST:.*]] = arith.constant -3 : i64
// CHECK:         %[[SURE:.*]] = arith.cmpi ule, %n, %[[MOST]] : i64
// CHECK:         scf.if %[[SURE]] {
// CHECK:           %[[STEP:.*]] = arith.constant 2 : index
// CHECK:           scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]] iter_args
// CHECK:         } else {
// CHECK:           scf.while

// `while (n--)` of a `size_t`: what its condition moves, the iteration moves.
ocl.kernel @moved(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i64 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %last = scf.while (%k = %n) : (i64) -> (i64) {
    %less = arith.subi %k, %c1 : i64
    %more = arith.cmpi ne, %k, %c0 : i64
    scf.condition(%more) %less : i64
  } do {
  ^bb0(%k: i64):
    %i = arith.index_cast %k : i64 to index
    %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
    %w = arith.addf %v, %v : f32
    ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
    scf.yield %k : i64
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @moved
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[K:.*]] = %n) -> (i64) {
// CHECK-NEXT:      %[[LESS:.*]] = arith.subi %[[K]], %c1 : i64
// CHECK-NEXT:      arith.index_cast %[[LESS]]
// CHECK:           scf.yield %[[LESS]] : i64
// A loop that does nothing but wrap a coordinate stays: other passes know what is left of it.
ocl.kernel @wrap(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %at: i32 {ocl.name = "at"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %i = scf.while (%i0 = %at) : (i32) -> i32 {
    %go = arith.cmpi slt, %i0, %c0 : i32
    scf.condition(%go) %i0 : i32
  } do {
  ^bb0(%i1: i32):
    %next = arith.addi %i1, %n : i32
    scf.yield %next : i32
  }
  ocl.store %i, %x : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @wrap
// CHECK-NOT:     scf.for
