// RUN: ocl-opt %s -p ocl-to-wg | filecheck %s

// Barriers inside of loops and branches: uniform ones stand around the parallel regions.


// A tree reduction.

ocl.kernel @reduce(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %tile: !ocl.ptr<f32, local> {ocl.name = "tile"}) {
  %lid = ocl.local_id 0 : index
  %gid = ocl.global_id 0 : index
  %v = ocl.load %in[%gid] : !ocl.ptr<f32, global>
  ocl.store %v, %tile[%lid] : !ocl.ptr<f32, local>
  ocl.barrier local
  %n = ocl.local_size 0 : index
  %two = arith.constant 2 : index
  %zero = arith.constant 0 : index
  %half = arith.divui %n, %two : index
  %r = scf.while (%s = %half) : (index) -> index {
    %c = arith.cmpi sgt, %s, %zero : index
    scf.condition(%c) %s : index
  } do {
  ^bb0(%s: index):
    %c = arith.cmpi slt, %lid, %s : index
    scf.if %c {
      %j = arith.addi %lid, %s : index
      %a = ocl.load %tile[%lid] : !ocl.ptr<f32, local>
      %b = ocl.load %tile[%j] : !ocl.ptr<f32, local>
      %d = arith.addf %a, %b : f32
      ocl.store %d, %tile[%lid] : !ocl.ptr<f32, local>
    }
    ocl.barrier local
    %s2 = arith.divui %s, %two : index
    scf.yield %s2 : index
  }
  %first = arith.cmpi eq, %lid, %zero : index
  scf.if %first {
    %g = ocl.group_id 0 : index
    %t = ocl.load %tile : !ocl.ptr<f32, local>
    ocl.store %t, %out[%g] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: wg.func @reduce(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %tile: !ocl.ptr<f32, local> {ocl.name = "tile"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   wg.parallel (%x, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %gid = arith.addi %first_x, %x : index
// CHECK-NEXT:     %v = ocl.load %in[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %v, %tile[%x] : !ocl.ptr<f32, local>
// CHECK-NEXT:   }
// CHECK-NEXT:   %n = ocl.local_size 0 : index
// CHECK-NEXT:   %two = arith.constant 2 : index
// CHECK-NEXT:   %zero = arith.constant 0 : index
// CHECK-NEXT:   %half = arith.divui %n, %two : index
// CHECK-NEXT:   %r = scf.while (%s = %half) : (index) -> index {
// CHECK-NEXT:     %c = arith.cmpi sgt, %s, %zero : index
// CHECK-NEXT:     scf.condition(%c) %s : index
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%s_1: index):
// CHECK-NEXT:     wg.parallel (%x_1, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %c_1 = arith.cmpi slt, %x_1, %s_1 : index
// CHECK-NEXT:       scf.if %c_1 {
// CHECK-NEXT:         %j = arith.addi %x_1, %s_1 : index
// CHECK-NEXT:         %a = ocl.load %tile[%x_1] : !ocl.ptr<f32, local>
// CHECK-NEXT:         %b = ocl.load %tile[%j] : !ocl.ptr<f32, local>
// CHECK-NEXT:         %d = arith.addf %a, %b : f32
// CHECK-NEXT:         ocl.store %d, %tile[%x_1] : !ocl.ptr<f32, local>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %s2 = arith.divui %s_1, %two : index
// CHECK-NEXT:     scf.yield %s2 : index
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_2, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %first = arith.cmpi eq, %x_2, %zero : index
// CHECK-NEXT:     scf.if %first {
// CHECK-NEXT:       %g = ocl.group_id 0 : index
// CHECK-NEXT:       %t = ocl.load %tile : !ocl.ptr<f32, local>
// CHECK-NEXT:       ocl.store %t, %out[%g] : !ocl.ptr<f32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// A counted loop: the uniform sum is carried by the loop, each work-item's own in an array.

ocl.kernel @counted(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %lid = ocl.local_id 0 : index
  %gid = ocl.global_id 0 : index
  %ub = arith.index_cast %n : i32 to index
  %total, %mine = scf.for %i = %c0 to %ub step %c1 iter_args(%total = %f0, %mine = %f0) -> (f32, f32) {
    %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
    ocl.store %v, %t[%lid] : !ocl.ptr<f32, local>
    ocl.barrier local
    %same = ocl.load %t[%i] : !ocl.ptr<f32, local>
    %total_next = arith.addf %total, %same : f32
    %own = ocl.load %t[%lid] : !ocl.ptr<f32, local>
    %mine_next = arith.addf %mine, %own : f32
    ocl.barrier local
    scf.yield %total_next, %mine_next : f32, f32
  }
  %sum = arith.addf %total, %mine : f32
  ocl.store %sum, %x[%gid] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @counted(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %mine = wg.context : !wg.context<f32>
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %f0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %ub = arith.index_cast %n : i32 to index
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     wg.put %f0, %mine[%x_1, %y, %z] : !wg.context<f32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %total = scf.for %i = %c0 to %ub step %c1 iter_args(%total_1 = %f0) -> (f32) {
// CHECK-NEXT:     wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %gid = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:       %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:       ocl.store %v, %t[%x_2] : !ocl.ptr<f32, local>
// CHECK-NEXT:     }
// CHECK-NEXT:     %same = ocl.load %t[%i] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %total_next = arith.addf %total_1, %same : f32
// CHECK-NEXT:     wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %own = ocl.load %t[%x_3] : !ocl.ptr<f32, local>
// CHECK-NEXT:       %mine_1 = wg.get %mine[%x_3, %y_2, %z_2] : !wg.context<f32>
// CHECK-NEXT:       %mine_next = arith.addf %mine_1, %own : f32
// CHECK-NEXT:       wg.put %mine_next, %mine[%x_3, %y_2, %z_2] : !wg.context<f32>
// CHECK-NEXT:     }
// CHECK-NEXT:     wg.parallel (%x_4, %y_3, %z_3) in (%lx, %ly, %lz) {
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.yield %total_next : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_5, %y_4, %z_4) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %mine_2 = wg.get %mine[%x_5, %y_4, %z_4] : !wg.context<f32>
// CHECK-NEXT:     %sum = arith.addf %total, %mine_2 : f32
// CHECK-NEXT:     %gid_1 = arith.addi %first_x, %x_5 : index
// CHECK-NEXT:     ocl.store %sum, %x[%gid_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// A do-while loop: the barrier stands in the region that decides.

ocl.kernel @do_while(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %gid = ocl.global_id 0 : index
  %k = scf.while (%i = %c0) : (i32) -> i32 {
    %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
    %w = arith.addf %v, %v : f32
    ocl.store %w, %x[%gid] : !ocl.ptr<f32, global>
    ocl.barrier global
    %j = arith.addi %i, %c1 : i32
    %more = arith.cmpi slt, %j, %n : i32
    scf.condition(%more) %j : i32
  } do {
  ^body(%j: i32):
    scf.yield %j : i32
  }
  ocl.return
}

// CHECK-LABEL: wg.func @do_while(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %c0 = arith.constant 0 : i32
// CHECK-NEXT:   %c1 = arith.constant 1 : i32
// CHECK-NEXT:   %k = scf.while (%i = %c0) : (i32) -> i32 {
// CHECK-NEXT:     wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:       %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:       %w = arith.addf %v, %v : f32
// CHECK-NEXT:       ocl.store %w, %x[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     %j = arith.addi %i, %c1 : i32
// CHECK-NEXT:     %more = arith.cmpi slt, %j, %n : i32
// CHECK-NEXT:     scf.condition(%more) %j : i32
// CHECK-NEXT:   } do {
// CHECK-NEXT:   ^bb0(%j_1: i32):
// CHECK-NEXT:     scf.yield %j_1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// A branch on a uniform condition; its varying result goes through an array.

ocl.kernel @branch(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %gid = ocl.global_id 0 : index
  %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
  %positive = arith.cmpi sgt, %n, %c0 : i32
  %r, %u = scf.if %positive -> (f32, i32) {
    ocl.barrier global
    %first = ocl.load %x : !ocl.ptr<f32, global>
    %sum = arith.addf %v, %first : f32
    scf.yield %sum, %n : f32, i32
  } else {
    scf.yield %v, %c0 : f32, i32
  }
  %f = arith.sitofp %u : i32 to f32
  %s = arith.addf %r, %f : f32
  ocl.store %s, %x[%gid] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @branch(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %v = wg.context : !wg.context<f32>
// CHECK-NEXT:   %r = wg.context : !wg.context<f32>
// CHECK-NEXT:   %c0 = arith.constant 0 : i32
// CHECK-NEXT:   %positive = arith.cmpi sgt, %n, %c0 : i32
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %v_1 = ocl.load %x[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:     wg.put %v_1, %v[%x_1, %y, %z] : !wg.context<f32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %u = scf.if %positive -> (i32) {
// CHECK-NEXT:     %first = ocl.load %x : !ocl.ptr<f32, global>
// CHECK-NEXT:     wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %v_2 = wg.get %v[%x_2, %y_1, %z_1] : !wg.context<f32>
// CHECK-NEXT:       %sum = arith.addf %v_2, %first : f32
// CHECK-NEXT:       wg.put %sum, %r[%x_2, %y_1, %z_1] : !wg.context<f32>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.yield %n : i32
// CHECK-NEXT:   } else {
// CHECK-NEXT:     wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %v_3 = wg.get %v[%x_3, %y_2, %z_2] : !wg.context<f32>
// CHECK-NEXT:       wg.put %v_3, %r[%x_3, %y_2, %z_2] : !wg.context<f32>
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.yield %c0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %f = arith.sitofp %u : i32 to f32
// CHECK-NEXT:   wg.parallel (%x_4, %y_3, %z_3) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %r_1 = wg.get %r[%x_4, %y_3, %z_3] : !wg.context<f32>
// CHECK-NEXT:     %s = arith.addf %r_1, %f : f32
// CHECK-NEXT:     %gid_1 = arith.addi %first_x, %x_4 : index
// CHECK-NEXT:     ocl.store %s, %x[%gid_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }
