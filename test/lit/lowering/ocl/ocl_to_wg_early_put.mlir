// RUN: ocl-opt %s -p ocl-to-wg | filecheck %s

// A value goes to its array where it is computed, if nobody reads the old one later.


// What the loop carries has one array: %t takes the place of %s before the barrier.

ocl.kernel @in_place(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ub = arith.index_cast %n : i32 to index
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %sum = scf.for %k = %c0 to %ub step %c1 iter_args(%s = %v) -> (i32) {
    %w = ocl.load %x[%i] : !ocl.ptr<i32, global>
    %t = arith.divsi %s, %w : i32
    ocl.barrier global
    ocl.store %t, %x[%i] : !ocl.ptr<i32, global>
    scf.yield %t : i32
  }
  ocl.store %sum, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @in_place(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %s = wg.context : !wg.context<i32>
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %ub = arith.index_cast %n : i32 to index
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %i = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     wg.put %v, %s[%x_1, %y, %z] : !wg.context<i32>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %k = %c0 to %ub step %c1 {
// CHECK-NEXT:     wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %i_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:       %w = ocl.load %x[%i_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %s_1 = wg.get %s[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:       %t = arith.divsi %s_1, %w : i32
// CHECK-NEXT:       wg.put %t, %s[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:     }
// CHECK-NEXT:     wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %t_1 = wg.get %s[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:       %i_2 = arith.addi %first_x, %x_3 : index
// CHECK-NEXT:       ocl.store %t_1, %x[%i_2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_4, %y_3, %z_3) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %sum = wg.get %s[%x_4, %y_3, %z_3] : !wg.context<i32>
// CHECK-NEXT:     %i_3 = arith.addi %first_x, %x_4 : index
// CHECK-NEXT:     ocl.store %sum, %x[%i_3] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// Not here: the second region reads %s, which is still there.

ocl.kernel @old_value_is_read(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ub = arith.index_cast %n : i32 to index
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %sum = scf.for %k = %c0 to %ub step %c1 iter_args(%s = %v) -> (i32) {
    %w = ocl.load %x[%i] : !ocl.ptr<i32, global>
    %t = arith.divsi %s, %w : i32
    ocl.barrier global
    ocl.store %s, %x[%i] : !ocl.ptr<i32, global>
    scf.yield %t : i32
  }
  ocl.store %sum, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @old_value_is_read(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %s = wg.context : !wg.context<i32>
// CHECK-NEXT:   %t = wg.context : !wg.context<i32>
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %ub = arith.index_cast %n : i32 to index
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %i = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     wg.put %v, %s[%x_1, %y, %z] : !wg.context<i32>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %k = %c0 to %ub step %c1 {
// CHECK-NEXT:     wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %i_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:       %w = ocl.load %x[%i_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %s_1 = wg.get %s[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:       %t_1 = arith.divsi %s_1, %w : i32
// CHECK-NEXT:       wg.put %t_1, %t[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:     }
// CHECK-NEXT:     wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %s_2 = wg.get %s[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:       %i_2 = arith.addi %first_x, %x_3 : index
// CHECK-NEXT:       ocl.store %s_2, %x[%i_2] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %t_2 = wg.get %t[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:       wg.put %t_2, %s[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_4, %y_3, %z_3) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %sum = wg.get %s[%x_4, %y_3, %z_3] : !wg.context<i32>
// CHECK-NEXT:     %i_3 = arith.addi %first_x, %x_4 : index
// CHECK-NEXT:     ocl.store %sum, %x[%i_3] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// Nor here: %d is computed again from %s.

ocl.kernel @old_value_is_recomputed(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ub = arith.index_cast %n : i32 to index
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %sum = scf.for %k = %c0 to %ub step %c1 iter_args(%s = %v) -> (i32) {
    %w = ocl.load %x[%i] : !ocl.ptr<i32, global>
    %t = arith.divsi %s, %w : i32
    %d = arith.addi %s, %n : i32
    ocl.barrier global
    ocl.store %d, %x[%i] : !ocl.ptr<i32, global>
    scf.yield %t : i32
  }
  ocl.store %sum, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @old_value_is_recomputed(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %s = wg.context : !wg.context<i32>
// CHECK-NEXT:   %t = wg.context : !wg.context<i32>
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %ub = arith.index_cast %n : i32 to index
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %i = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     wg.put %v, %s[%x_1, %y, %z] : !wg.context<i32>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %k = %c0 to %ub step %c1 {
// CHECK-NEXT:     wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %i_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:       %w = ocl.load %x[%i_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %s_1 = wg.get %s[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:       %t_1 = arith.divsi %s_1, %w : i32
// CHECK-NEXT:       wg.put %t_1, %t[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:       %d = arith.addi %s_1, %n : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %s_2 = wg.get %s[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:       %d_1 = arith.addi %s_2, %n : i32
// CHECK-NEXT:       %i_2 = arith.addi %first_x, %x_3 : index
// CHECK-NEXT:       ocl.store %d_1, %x[%i_2] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %t_2 = wg.get %t[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:       wg.put %t_2, %s[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_4, %y_3, %z_3) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %sum = wg.get %s[%x_4, %y_3, %z_3] : !wg.context<i32>
// CHECK-NEXT:     %i_3 = arith.addi %first_x, %x_4 : index
// CHECK-NEXT:     ocl.store %sum, %x[%i_3] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// Nor here: %v is needed after the loop, which puts other values into its array.

ocl.kernel @initial_value(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ub = arith.index_cast %n : i32 to index
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  ocl.barrier global
  %sum = scf.for %k = %c0 to %ub step %c1 iter_args(%s = %v) -> (i32) {
    %w = ocl.load %x[%i] : !ocl.ptr<i32, global>
    %t = arith.muli %s, %w : i32
    ocl.barrier global
    scf.yield %t : i32
  }
  %u = arith.addi %sum, %v : i32
  ocl.store %u, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @initial_value(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %v = wg.context : !wg.context<i32>
// CHECK-NEXT:   %s = wg.context : !wg.context<i32>
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %ub = arith.index_cast %n : i32 to index
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %i = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %v_1 = ocl.load %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     wg.put %v_1, %v[%x_1, %y, %z] : !wg.context<i32>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %v_2 = wg.get %v[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:     wg.put %v_2, %s[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.for %k = %c0 to %ub step %c1 {
// CHECK-NEXT:     wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %i_1 = arith.addi %first_x, %x_3 : index
// CHECK-NEXT:       %w = ocl.load %x[%i_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %s_1 = wg.get %s[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:       %t = arith.muli %s_1, %w : i32
// CHECK-NEXT:       wg.put %t, %s[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:     }
// CHECK-NEXT:     wg.parallel (%x_4, %y_3, %z_3) in (%lx, %ly, %lz) {
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_5, %y_4, %z_4) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %sum = wg.get %s[%x_5, %y_4, %z_4] : !wg.context<i32>
// CHECK-NEXT:     %v_3 = wg.get %v[%x_5, %y_4, %z_4] : !wg.context<i32>
// CHECK-NEXT:     %u = arith.addi %sum, %v_3 : i32
// CHECK-NEXT:     %i_2 = arith.addi %first_x, %x_5 : index
// CHECK-NEXT:     ocl.store %u, %x[%i_2] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// `do ... while`: the body passes %next on as it is, so that the array of %s is that of %next.

ocl.kernel @do_while(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %i = ocl.global_id 0 : index
  %one = arith.constant 1 : i32
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %sum, %count = scf.while (%s = %v, %k = %one) : (i32, i32) -> (i32, i32) {
    %w = ocl.load %x[%i] : !ocl.ptr<i32, global>
    ocl.barrier global
    %t = arith.divsi %s, %w : i32
    %more = arith.addi %k, %one : i32
    %again = arith.cmpi slt, %more, %n : i32
    scf.condition(%again) %t, %more : i32, i32
  } do {
  ^bb0(%next: i32, %more: i32):
    scf.yield %next, %more : i32, i32
  }
  ocl.store %sum, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @do_while(
// CHECK:         %s = wg.context : !wg.context<i32>
// CHECK-NEXT:    %w = wg.context : !wg.context<i32>
// CHECK-NOT:     wg.context :
// CHECK:         scf.while
// CHECK:             %t = arith.divsi %s_{{[0-9]}}, %w_{{[0-9]}} : i32
// CHECK-NEXT:        wg.put %t, %s[
// CHECK:         } do {
// CHECK-NEXT:    ^bb0(%more_{{[0-9]}}: i32):
// CHECK-NEXT:      scf.yield %more_{{[0-9]}} : i32
// CHECK-NEXT:    }
// CHECK:           %sum = wg.get %s[
