// RUN: ocl-opt %s -p ocl-tail-duplicate | filecheck %s

// What follows a branch with a barrier moves into both of its sides, up to the next barrier.


// Behind the join, two barriers may have come last; after the pass each region has one barrier in
// front of it. ocl_tail_duplicate_figures.mlir has the figures of the paper.

ocl.kernel @conditional_barrier(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %zero = arith.constant 0 : i32
  %i = ocl.global_id 0 : index
  %c = arith.cmpi sgt, %n, %zero : i32
  %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
  %r = scf.if %c -> (f32) {
    ocl.barrier global
    %b = arith.addf %v, %v : f32
    scf.yield %b : f32
  } else {
    scf.yield %v : f32
  }
  %f = arith.mulf %r, %r : f32
  ocl.store %f, %x[%i] : !ocl.ptr<f32, global>
  ocl.barrier global
  %g = ocl.load %x : !ocl.ptr<f32, global>
  %h = arith.addf %f, %g : f32
  ocl.store %h, %x[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @conditional_barrier(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %zero = arith.constant 0 : i32
// CHECK-NEXT:   %i = ocl.global_id 0 : index
// CHECK-NEXT:   %c = arith.cmpi sgt, %n, %zero : i32
// CHECK-NEXT:   %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %f = scf.if %c -> (f32) {
// CHECK-NEXT:     ocl.barrier global
// CHECK-NEXT:     %b = arith.addf %v, %v : f32
// CHECK-NEXT:     %f_1 = arith.mulf %b, %b : f32
// CHECK-NEXT:     ocl.store %f_1, %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:     scf.yield %f_1 : f32
// CHECK-NEXT:   } else {
// CHECK-NEXT:     %f_2 = arith.mulf %v, %v : f32
// CHECK-NEXT:     ocl.store %f_2, %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:     scf.yield %f_2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.barrier global
// CHECK-NEXT:   %g = ocl.load %x : !ocl.ptr<f32, global>
// CHECK-NEXT:   %h = arith.addf %f, %g : f32
// CHECK-NEXT:   ocl.store %h, %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }


// A branch without an else side gets one. The tail ends with the body of the loop.

ocl.kernel @in_a_loop(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ub = arith.index_cast %n : i32 to index
  %i = ocl.global_id 0 : index
  %sum = scf.for %k = %c0 to %ub step %c1 iter_args(%s = %n) -> (i32) {
    %odd = arith.cmpi eq, %k, %c1 : index
    scf.if %odd {
      ocl.barrier global
    }
    %v = ocl.load %x[%k] : !ocl.ptr<i32, global>
    %t = arith.addi %s, %v : i32
    scf.yield %t : i32
  }
  ocl.store %sum, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @in_a_loop(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %ub = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %i = ocl.global_id 0 : index
// CHECK-NEXT:   %sum = scf.for %k = %c0 to %ub step %c1 iter_args(%s = %n) -> (i32) {
// CHECK-NEXT:     %odd = arith.cmpi eq, %k, %c1 : index
// CHECK-NEXT:     %t = scf.if %odd -> (i32) {
// CHECK-NEXT:       ocl.barrier global
// CHECK-NEXT:       %v = ocl.load %x[%k] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %t_1 = arith.addi %s, %v : i32
// CHECK-NEXT:       scf.yield %t_1 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %v_1 = ocl.load %x[%k] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %t_2 = arith.addi %s, %v_1 : i32
// CHECK-NEXT:       scf.yield %t_2 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.yield %t : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.store %sum, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }


// Nested branches: the outer tail goes through the inner branch as well.

ocl.kernel @nested(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = ocl.global_id 0 : index
  %a = arith.cmpi sgt, %n, %c0 : i32
  %b = arith.cmpi sgt, %n, %c1 : i32
  scf.if %a {
    scf.if %b {
      ocl.barrier global
    }
    ocl.store %c0, %x[%i] : !ocl.ptr<i32, global>
  }
  ocl.store %c1, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @nested(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %c0 = arith.constant 0 : i32
// CHECK-NEXT:   %c1 = arith.constant 1 : i32
// CHECK-NEXT:   %i = ocl.global_id 0 : index
// CHECK-NEXT:   %a = arith.cmpi sgt, %n, %c0 : i32
// CHECK-NEXT:   %b = arith.cmpi sgt, %n, %c1 : i32
// CHECK-NEXT:   scf.if %a {
// CHECK-NEXT:     scf.if %b {
// CHECK-NEXT:       ocl.barrier global
// CHECK-NEXT:       ocl.store %c0, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:       ocl.store %c1, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       ocl.store %c0, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:       ocl.store %c1, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   } else {
// CHECK-NEXT:     ocl.store %c1, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }


// A branch without a barrier is left alone.

ocl.kernel @no_barrier(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %i = ocl.global_id 0 : index
  %a = arith.cmpi sgt, %n, %c0 : i32
  scf.if %a {
    ocl.store %c0, %x[%i] : !ocl.ptr<i32, global>
  }
  ocl.store %n, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @no_barrier(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %c0 = arith.constant 0 : i32
// CHECK-NEXT:   %i = ocl.global_id 0 : index
// CHECK-NEXT:   %a = arith.cmpi sgt, %n, %c0 : i32
// CHECK-NEXT:   scf.if %a {
// CHECK-NEXT:     ocl.store %c0, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.store %n, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
