// RUN: ocl-opt %s -p ocl-to-wg | filecheck %s

// Control flow around a barrier that is not proven uniform: each region inside runs under a flag
// for each work-item. Always right; a proof of uniformity only makes it faster.


// A branch: both sides run, one after the other, each for its own work-items.

ocl.kernel @branch(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %c0 = arith.constant 0 : i32
  %gid = ocl.global_id 0 : index
  %v = ocl.load %x[%gid] : !ocl.ptr<i32, global>
  %positive = arith.cmpi sgt, %v, %c0 : i32
  %r = scf.if %positive -> (i32) {
    ocl.barrier global
    %w = arith.addi %v, %v : i32
    scf.yield %w : i32
  } else {
    scf.yield %c0 : i32
  }
  ocl.store %r, %x[%gid] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @branch(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %v = wg.context : !wg.context<i32>
// CHECK-NEXT:   %active = wg.context : !wg.context<i1>
// CHECK-NEXT:   %active_1 = wg.context : !wg.context<i1>
// CHECK-NEXT:   %r = wg.context : !wg.context<i32>
// CHECK-NEXT:   %c0 = arith.constant 0 : i32
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %v_1 = ocl.load %x[%gid] : !ocl.ptr<i32, global>
// CHECK-NEXT:     wg.put %v_1, %v[%x_1, %y, %z] : !wg.context<i32>
// CHECK-NEXT:     %positive = arith.cmpi sgt, %v_1, %c0 : i32
// CHECK-NEXT:     wg.put %positive, %active[%x_1, %y, %z] : !wg.context<i1>
// CHECK-NEXT:     %3 = arith.constant true
// CHECK-NEXT:     %4 = arith.xori %positive, %3 : i1
// CHECK-NEXT:     wg.put %4, %active_1[%x_1, %y, %z] : !wg.context<i1>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %5 = wg.get %active[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:     scf.if %5 {
// CHECK-NEXT:       %v_2 = wg.get %v[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:       %w = arith.addi %v_2, %v_2 : i32
// CHECK-NEXT:       wg.put %w, %r[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %6 = wg.get %active_1[%x_3, %y_2, %z_2] : !wg.context<i1>
// CHECK-NEXT:     scf.if %6 {
// CHECK-NEXT:       wg.put %c0, %r[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_4, %y_3, %z_3) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %r_1 = wg.get %r[%x_4, %y_3, %z_3] : !wg.context<i32>
// CHECK-NEXT:     %gid_1 = arith.addi %first_x, %x_4 : index
// CHECK-NEXT:     ocl.store %r_1, %x[%gid_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// A loop runs until no work-item is active. Counted loops become while loops for that.

ocl.kernel @loop(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %t: !ocl.ptr<i32, local> {ocl.name = "t"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lid = ocl.local_id 0 : index
  %v = ocl.load %x[%lid] : !ocl.ptr<i32, global>
  %n = arith.index_cast %v : i32 to index
  scf.for %i = %c0 to %n step %c1 {
    ocl.store %v, %t[%lid] : !ocl.ptr<i32, local>
    ocl.barrier local
    %w = ocl.load %t[%i] : !ocl.ptr<i32, local>
    ocl.store %w, %x[%lid] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: wg.func @loop(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %t: !ocl.ptr<i32, local> {ocl.name = "t"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %v = wg.context : !wg.context<i32>
// CHECK-NEXT:   %i = wg.context : !wg.context<index>
// CHECK-NEXT:   %active = wg.context : !wg.context<i1>
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %v_1 = ocl.load %x[%x_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     wg.put %v_1, %v[%x_1, %y, %z] : !wg.context<i32>
// CHECK-NEXT:     %n = arith.index_cast %v_1 : i32 to index
// CHECK-NEXT:     wg.put %c0, %i[%x_1, %y, %z] : !wg.context<index>
// CHECK-NEXT:     %0 = arith.constant true
// CHECK-NEXT:     wg.put %0, %active[%x_1, %y, %z] : !wg.context<i1>
// CHECK-NEXT:   }
// CHECK-NEXT:   scf.while () : () -> () {
// CHECK-NEXT:     wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %1 = wg.get %active[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:       scf.if %1 {
// CHECK-NEXT:         %i_1 = wg.get %i[%x_2, %y_1, %z_1] : !wg.context<index>
// CHECK-NEXT:         %v_2 = wg.get %v[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:         %n_1 = arith.index_cast %v_2 : i32 to index
// CHECK-NEXT:         %2 = arith.cmpi slt, %i_1, %n_1 : index
// CHECK-NEXT:         wg.put %2, %active[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %3 = wg.any %active : !wg.context<i1>
// CHECK-NEXT:     scf.condition(%3)
// CHECK-NEXT:   } do {
// CHECK-NEXT:     wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %4 = wg.get %active[%x_3, %y_2, %z_2] : !wg.context<i1>
// CHECK-NEXT:       scf.if %4 {
// CHECK-NEXT:         %v_3 = wg.get %v[%x_3, %y_2, %z_2] : !wg.context<i32>
// CHECK-NEXT:         ocl.store %v_3, %t[%x_3] : !ocl.ptr<i32, local>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     wg.parallel (%x_4, %y_3, %z_3) in (%lx, %ly, %lz) {
// CHECK-NEXT:       %5 = wg.get %active[%x_4, %y_3, %z_3] : !wg.context<i1>
// CHECK-NEXT:       scf.if %5 {
// CHECK-NEXT:         %i_2 = wg.get %i[%x_4, %y_3, %z_3] : !wg.context<index>
// CHECK-NEXT:         %w = ocl.load %t[%i_2] : !ocl.ptr<i32, local>
// CHECK-NEXT:         ocl.store %w, %x[%x_4] : !ocl.ptr<i32, global>
// CHECK-NEXT:         %6 = arith.addi %i_2, %c1 : index
// CHECK-NEXT:         wg.put %6, %i[%x_4, %y_3, %z_3] : !wg.context<index>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// Nested: the inner flags are a part of the outer ones.

ocl.kernel @nested(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %c0 = arith.constant 0 : i32
  %lid = ocl.local_id 0 : index
  %v = ocl.load %x[%lid] : !ocl.ptr<i32, global>
  %outer = arith.cmpi sgt, %v, %c0 : i32
  scf.if %outer {
    %w = ocl.load %x[%lid] : !ocl.ptr<i32, global>
    %inner = arith.cmpi sgt, %w, %v : i32
    scf.if %inner {
      ocl.barrier global
      ocl.store %c0, %x[%lid] : !ocl.ptr<i32, global>
    }
  }
  ocl.return
}

// CHECK-LABEL: wg.func @nested(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %v = wg.context : !wg.context<i32>
// CHECK-NEXT:   %active = wg.context : !wg.context<i1>
// CHECK-NEXT:   %active_1 = wg.context : !wg.context<i1>
// CHECK-NEXT:   %active_2 = wg.context : !wg.context<i1>
// CHECK-NEXT:   %active_3 = wg.context : !wg.context<i1>
// CHECK-NEXT:   %c0 = arith.constant 0 : i32
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %v_1 = ocl.load %x[%x_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     wg.put %v_1, %v[%x_1, %y, %z] : !wg.context<i32>
// CHECK-NEXT:     %outer = arith.cmpi sgt, %v_1, %c0 : i32
// CHECK-NEXT:     wg.put %outer, %active[%x_1, %y, %z] : !wg.context<i1>
// CHECK-NEXT:     %0 = arith.constant true
// CHECK-NEXT:     %1 = arith.xori %outer, %0 : i1
// CHECK-NEXT:     wg.put %1, %active_1[%x_1, %y, %z] : !wg.context<i1>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %2 = wg.get %active[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:     scf.if %2 {
// CHECK-NEXT:       %w = ocl.load %x[%x_2] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %v_2 = wg.get %v[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:       %inner = arith.cmpi sgt, %w, %v_2 : i32
// CHECK-NEXT:       wg.put %inner, %active_2[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:       %3 = arith.constant true
// CHECK-NEXT:       %4 = arith.xori %inner, %3 : i1
// CHECK-NEXT:       wg.put %4, %active_3[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %5 = arith.constant false
// CHECK-NEXT:       wg.put %5, %active_2[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:       %6 = arith.constant false
// CHECK-NEXT:       wg.put %6, %active_3[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_3, %y_2, %z_2) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %7 = wg.get %active_2[%x_3, %y_2, %z_2] : !wg.context<i1>
// CHECK-NEXT:     scf.if %7 {
// CHECK-NEXT:       ocl.store %c0, %x[%x_3] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// A loop whose bounds all work-items know stays one for the group under a flag, too, as after
// `if (i >= n) return`: the work-items that are in it iterate together, if there are any.

ocl.kernel @guarded(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %i = ocl.global_id 0 : index
  %id = arith.index_cast %i : index to i32
  %inside = arith.cmpi slt, %id, %n : i32
  scf.if %inside {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ub = arith.index_cast %n : i32 to index
    scf.for %k = %c0 to %ub step %c1 {
      ocl.store %n, %x[%k] : !ocl.ptr<i32, global>
      ocl.barrier global
    }
  }
  ocl.return
}

// CHECK-LABEL: wg.func @guarded(
// CHECK-NOT:     wg.context : !wg.context<index>
// CHECK:         wg.parallel
// CHECK:           wg.put %inside, %active[
// CHECK:         %ub = arith.index_cast %n : i32 to index
// CHECK-NEXT:    [[ANY:%[0-9]+]] = wg.any %active : !wg.context<i1>
// CHECK-NEXT:    scf.if [[ANY]] {
// CHECK-NEXT:      scf.for %k = %c0 to %ub step %c1 {
// CHECK-NEXT:        wg.parallel
// CHECK-NEXT:          %{{.*}} = wg.get %active[
// CHECK-NEXT:          scf.if %{{.*}} {
// CHECK-NEXT:            ocl.store %n, %x[%k] : !ocl.ptr<i32, global>
