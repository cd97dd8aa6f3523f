// RUN: ocl-opt %s -p "hoist-while-loads{distinct=true}" --split-input-file | filecheck %s

// The condition reads %p[%i] at least once. The second part of the loop reads %q[%i] if the
// condition holds at first: a copy of it says so.
wg.func @reads(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %q: !ocl.ptr<i32, global> {ocl.name = "q"}, %y: !ocl.ptr<i32, global> {ocl.name = "y"}) {
  %n = ocl.local_size 0 : index
  wg.parallel (%i, %j, %k) in (%n, %n, %n) {
    %c0 = arith.constant 0 : i32
    %s = scf.while (%s0 = %c0) : (i32) -> i32 {
      %last = ocl.load %p[%i] : !ocl.ptr<i32, global>
      %more = arith.cmpi slt, %s0, %last : i32
      scf.condition(%more) %s0 : i32
    } do {
    ^bb0(%s1: i32):
      %step = ocl.load %q[%i] : !ocl.ptr<i32, global>
      %s2 = arith.addi %s1, %step : i32
      ocl.store %s2, %y[%i] : !ocl.ptr<i32, global>
      scf.yield %s2 : i32
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @reads
// CHECK:         %last = ocl.load %p[%i]
// CHECK-NEXT:    %more = arith.cmpi slt, %c0, %last : i32
// CHECK-NEXT:    %step = scf.if %more -> (i32) {
// CHECK-NEXT:      %step_1 = ocl.load %q[%i]
// CHECK-NEXT:      scf.yield %step_1 : i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %0 = arith.constant 0 : i32
// CHECK-NEXT:      scf.yield %0 : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    %s = scf.while (%s0 = %c0) : (i32) -> i32 {
// CHECK-NEXT:      %more_1 = arith.cmpi slt, %s0, %last : i32

// -----

// A counter begins below its bound: there is a first iteration.
wg.func @known(%q: !ocl.ptr<i32, global> {ocl.name = "q"}) {
  %n = ocl.local_size 0 : index
  wg.parallel (%i, %j, %k) in (%n, %n, %n) {
    %c0 = arith.constant 0 : i32
    %c9 = arith.constant 9 : i32
    %s = scf.while (%s0 = %c0) : (i32) -> i32 {
      %more = arith.cmpi slt, %s0, %c9 : i32
      scf.condition(%more) %s0 : i32
    } do {
    ^bb0(%s1: i32):
      %step = ocl.load %q[%i] : !ocl.ptr<i32, global>
      %s2 = arith.addi %s1, %step : i32
      scf.yield %s2 : i32
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @known
// CHECK-NOT:     scf.if
// CHECK:         ocl.load %q[%i]
// CHECK-NEXT:    scf.while

// -----

// The loop writes to the buffer that it reads: another element, perhaps, or this one.
wg.func @written(%q: !ocl.ptr<i32, global> {ocl.name = "q"}) {
  %n = ocl.local_size 0 : index
  wg.parallel (%i, %j, %k) in (%n, %n, %n) {
    %c0 = arith.constant 0 : i32
    %c9 = arith.constant 9 : i32
    %s = scf.while (%s0 = %c0) : (i32) -> i32 {
      %more = arith.cmpi slt, %s0, %c9 : i32
      scf.condition(%more) %s0 : i32
    } do {
    ^bb0(%s1: i32):
      %step = ocl.load %q[%i] : !ocl.ptr<i32, global>
      %s2 = arith.addi %s1, %step : i32
      ocl.store %s2, %q[%j] : !ocl.ptr<i32, global>
      scf.yield %s2 : i32
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @written
// CHECK:         scf.while
// CHECK:         ocl.load %q[%i]
