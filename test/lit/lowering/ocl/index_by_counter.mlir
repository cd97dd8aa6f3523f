// RUN: ocl-opt %s -p index-by-counter | filecheck %s
// RUN: ocl-opt %s -p index-by-counter --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// for (int i = 0; i < n; i++) *p++ = 1: p[i] = 1. After the loop, p has moved as often as it ran.
// REMARK: index_by_counter.mlir:[[# @LINE + 8]]:3: remark: computes 'q' from the counter [index-by-counter]
ocl.kernel @pointer(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %n: i64 {ocl.name = "n"}) {
  %ub = arith.index_cast %n : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32

  // The remark is about this loop.
  %p = scf.for %i = %c0 to %ub step %c1 iter_args(%q = %a) -> (!ocl.ptr<f32, global>) {
    %r = ocl.offset %q[%c1] : !ocl.ptr<f32, global>
    ocl.store %one, %q : !ocl.ptr<f32, global>
    scf.yield %r : !ocl.ptr<f32, global>
  }
  ocl.store %one, %p : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @pointer
// CHECK:           scf.for %i = %c0 to %ub step %c1 {
// CHECK-NEXT:        %q = ocl.offset %a[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        ocl.store %one, %q : !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[COUNT:[0-9]+]] = arith.maxsi %ub, %c0 : index
// CHECK-NEXT:      %p = ocl.offset %a[%[[COUNT]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.store %one, %p : !ocl.ptr<f32, global>

// A column: rows are w apart. The loop counts from m in steps of 2, and an integer moves by -6.
ocl.kernel @column(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}, %w: i32 {ocl.name = "w"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c6 = arith.constant 6 : i32
  %lb = arith.index_cast %m : i64 to index
  %from = scf.for %i = %lb to %c8 step %c2 iter_args(%v = %w) -> (i32) {
    ocl.store %v, %a[%i] : !ocl.ptr<i32, global>
    %next = arith.subi %v, %c6 : i32
    scf.yield %next : i32
  }
  %p = scf.for %i = %c0 to %c8 step %c1 iter_args(%q = %a) -> (!ocl.ptr<i32, global>) {
    %width = arith.index_cast %w : i32 to index
    ocl.store %from, %q : !ocl.ptr<i32, global>
    %r = ocl.offset %q[%width] : !ocl.ptr<i32, global>
    scf.yield %r : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @column
// CHECK:           scf.for %[[I:.*]] = %lb to %c8 step %c2 {
// CHECK-NEXT:        %[[FAR:.*]] = arith.subi %[[I]], %lb : index
// CHECK-NEXT:        %[[FAR32:.*]] = arith.index_cast %[[FAR]] : index to i32
// CHECK-NEXT:        %[[M3:.*]] = arith.constant -3 : i32
// CHECK-NEXT:        %[[MOVED:.*]] = arith.muli %[[FAR32]], %[[M3]] : i32
// CHECK-NEXT:        %v = arith.addi %w, %[[MOVED]] : i32
// CHECK-NEXT:        ocl.store %v, %a[%[[I]]] : !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// The counter ends at a multiple of the step from its start.
// CHECK:           arith.divui
// CHECK:           %from = arith.addi %w,
// CHECK:           %[[WIDTH:.*]] = arith.index_cast %w : i32 to index
// CHECK-NEXT:      scf.for %[[J:.*]] = %c0 to %c8 step %c1 {
// CHECK-NEXT:        %[[ROW:.*]] = arith.muli %[[J]], %[[WIDTH]] : index
// CHECK-NEXT:        %q = ocl.offset %a[%[[ROW]]] : !ocl.ptr<i32, global>

// Work-items move by different amounts: a vector of products costs more than one of sums.
ocl.kernel @own(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %v: i32 {ocl.name = "v"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = ocl.local_id 0 : index
  %p = scf.for %i = %c0 to %c8 step %c1 iter_args(%q = %a) -> (!ocl.ptr<i32, global>) {
    ocl.store %v, %q : !ocl.ptr<i32, global>
    %r = ocl.offset %q[%x] : !ocl.ptr<i32, global>
    scf.yield %r : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @own
// CHECK:           iter_args(%q = %a)
