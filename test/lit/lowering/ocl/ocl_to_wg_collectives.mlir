// RUN: ocl-opt %s -p ocl-to-wg | filecheck %s

// Collective functions: each work-item stores its value in a context array, an operation of the
// group combines the array, and the next region reads the results. What all get is a value.

ocl.kernel @sum(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %gid = ocl.global_id 0 : index
  %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
  %total = ocl.group_reduce work_group add %v : f32
  %part = ocl.group_reduce sub_group add %v : f32
  %r = arith.divf %part, %total : f32
  ocl.store %r, %x[%gid] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @sum(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
// CHECK-NEXT:    %lx = ocl.local_size 0 : index
// CHECK-NEXT:    %ly = ocl.local_size 1 : index
// CHECK-NEXT:    %lz = ocl.local_size 2 : index
// CHECK-NEXT:    %0 = ocl.group_id 0 : index
// CHECK-NEXT:    %1 = ocl.global_offset 0 : index
// CHECK-NEXT:    %2 = arith.muli %0, %lx : index
// CHECK-NEXT:    %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:    %v = wg.context : !wg.context<f32>
// CHECK-NEXT:    %part = wg.context : !wg.context<f32>
// CHECK-NEXT:    wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:      %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:      %v_1 = ocl.load %x[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:      wg.put %v_1, %v[%x_1, %y, %z] : !wg.context<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %total = wg.reduce add 16 %v : !wg.context<f32>
// CHECK-NEXT:    wg.reduce_rows add 16 %v to %part : !wg.context<f32>
// CHECK-NEXT:    wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:      %part_1 = wg.get %part[%x_2, %y_1, %z_1] : !wg.context<f32>
// CHECK-NEXT:      %r = arith.divf %part_1, %total : f32
// CHECK-NEXT:      %gid_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:      ocl.store %r, %x[%gid_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }


// The functions that are non_uniform, and any in a branch, combine the active work-items.

ocl.kernel @active(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %gid = ocl.global_id 0 : index
  %v = ocl.load %x[%gid] : !ocl.ptr<i32, global>
  %some = arith.cmpi slt, %v, %n : i32
  scf.if %some {
    %r = ocl.group_scan sub_group exclusive add %v non_uniform : i32
    ocl.store %r, %x[%gid] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: wg.func @active(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:    %lx = ocl.local_size 0 : index
// CHECK-NEXT:    %ly = ocl.local_size 1 : index
// CHECK-NEXT:    %lz = ocl.local_size 2 : index
// CHECK-NEXT:    %0 = ocl.group_id 0 : index
// CHECK-NEXT:    %1 = ocl.global_offset 0 : index
// CHECK-NEXT:    %2 = arith.muli %0, %lx : index
// CHECK-NEXT:    %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:    %v = wg.context : !wg.context<i32>
// CHECK-NEXT:    %active = wg.context : !wg.context<i1>
// CHECK-NEXT:    %active_1 = wg.context : !wg.context<i1>
// CHECK-NEXT:    %r = wg.context : !wg.context<i32>
// CHECK-NEXT:    wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:      %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:      %v_1 = ocl.load %x[%gid] : !ocl.ptr<i32, global>
// CHECK-NEXT:      %some = arith.cmpi slt, %v_1, %n : i32
// CHECK-NEXT:      wg.put %v_1, %v[%x_1, %y, %z] : !wg.context<i32>
// CHECK-NEXT:      wg.put %some, %active[%x_1, %y, %z] : !wg.context<i1>
// CHECK-NEXT:      %3 = arith.constant true
// CHECK-NEXT:      %4 = arith.xori %some, %3 : i1
// CHECK-NEXT:      wg.put %4, %active_1[%x_1, %y, %z] : !wg.context<i1>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.scan exclusive add 16 %v to %r active %active : !wg.context<i32>
// CHECK-NEXT:    wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:      %5 = wg.get %active[%x_2, %y_1, %z_1] : !wg.context<i1>
// CHECK-NEXT:      scf.if %5 {
// CHECK-NEXT:        %r_1 = wg.get %r[%x_2, %y_1, %z_1] : !wg.context<i32>
// CHECK-NEXT:        %gid_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:        ocl.store %r_1, %x[%gid_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }


// A shuffle reads the slot of another work-item. All shuffles of one value share its array, and
// need one boundary of regions.

ocl.kernel @neighbours(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %gid = ocl.global_id 0 : index
  %lid = ocl.local_id 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
  %i = arith.addi %lid, %one : index
  %a = ocl.group_shuffle sub_group %v[%i] non_uniform : f32
  %j = arith.addi %lid, %two : index
  %b = ocl.group_shuffle sub_group %v[%j] non_uniform : f32
  %c = arith.addf %a, %b : f32
  ocl.store %c, %x[%gid] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @neighbours(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>, local_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:    %lx = arith.constant 64 : index
// CHECK-NEXT:    %ly = arith.constant 1 : index
// CHECK-NEXT:    %lz = arith.constant 1 : index
// CHECK-NEXT:    %0 = ocl.group_id 0 : index
// CHECK-NEXT:    %1 = ocl.global_offset 0 : index
// CHECK-NEXT:    %2 = arith.muli %0, %lx : index
// CHECK-NEXT:    %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:    %v = wg.context : !wg.context<f32>
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %two = arith.constant 2 : index
// CHECK-NEXT:    wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:      %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:      %v_1 = ocl.load %x[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %i = arith.addi %x_1, %one : index
// CHECK-NEXT:      wg.put %v_1, %v[%x_1, %y, %z] : !wg.context<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:      %i_1 = arith.addi %x_2, %one : index
// CHECK-NEXT:      %3 = arith.constant -16 : index
// CHECK-NEXT:      %4 = arith.andi %x_2, %3 : index
// CHECK-NEXT:      %5 = arith.constant 15 : index
// CHECK-NEXT:      %6 = arith.andi %i_1, %5 : index
// CHECK-NEXT:      %7 = arith.ori %4, %6 : index
// CHECK-NEXT:      %8 = arith.constant 64 : index
// CHECK-NEXT:      %a = wg.peek %v[%7] : !wg.context<f32>
// CHECK-NEXT:      %j = arith.addi %x_2, %two : index
// CHECK-NEXT:      %9 = arith.constant -16 : index
// CHECK-NEXT:      %10 = arith.andi %x_2, %9 : index
// CHECK-NEXT:      %11 = arith.constant 15 : index
// CHECK-NEXT:      %12 = arith.andi %j, %11 : index
// CHECK-NEXT:      %13 = arith.ori %10, %12 : index
// CHECK-NEXT:      %14 = arith.constant 64 : index
// CHECK-NEXT:      %b = wg.peek %v[%13] : !wg.context<f32>
// CHECK-NEXT:      %c = arith.addf %a, %b : f32
// CHECK-NEXT:      %gid_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:      ocl.store %c, %x[%gid_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

