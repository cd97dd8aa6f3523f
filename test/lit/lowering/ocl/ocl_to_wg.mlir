// RUN: ocl-opt %s -p ocl-to-wg | filecheck %s

// How a value crosses from one parallel region to the next. A barrier is the boundary between them.


// Uniform values are results of their region or run once for the group; what is cheap is
// computed again.

ocl.kernel @uniform_and_cheap(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: !ocl.ptr<i32, global> {ocl.name = "n"}) {
  %two = arith.constant 2 : index
  %gid = ocl.global_id 0 : index
  %even = arith.muli %gid, %two : index
  %before = ocl.load %n : !ocl.ptr<i32, global>
  %f = arith.sitofp %before : i32 to f32
  ocl.store %f, %x[%even] : !ocl.ptr<f32, global>
  // A store stands before this load, so it stays in its place: the region's result.
  %after = ocl.load %n : !ocl.ptr<i32, global>
  ocl.barrier global
  %offset = arith.index_cast %after : i32 to index
  %i = arith.addi %even, %offset : index
  ocl.store %f, %x[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @uniform_and_cheap(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: !ocl.ptr<i32, global> {ocl.name = "n"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %two = arith.constant 2 : index
// CHECK-NEXT:   %before = ocl.load %n : !ocl.ptr<i32, global>
// CHECK-NEXT:   %f = arith.sitofp %before : i32 to f32
// CHECK-NEXT:   %after = wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %even = arith.muli %gid, %two : index
// CHECK-NEXT:     ocl.store %f, %x[%even] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %after_1 = ocl.load %n : !ocl.ptr<i32, global>
// CHECK-NEXT:     wg.yield %after_1 : i32
// CHECK-NEXT:   } : i32
// CHECK-NEXT:   wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %offset = arith.index_cast %after : i32 to index
// CHECK-NEXT:     %gid_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:     %even_1 = arith.muli %gid_1, %two : index
// CHECK-NEXT:     %i = arith.addi %even_1, %offset : index
// CHECK-NEXT:     ocl.store %f, %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// Everything else goes through a context array.

ocl.kernel @context(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
  %lid = ocl.local_id 0 : index
  %gid = ocl.global_id 0 : index
  %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
  ocl.store %v, %t[%lid] : !ocl.ptr<f32, local>
  %square = arith.mulf %v, %v : f32
  ocl.barrier local
  %first = ocl.load %t : !ocl.ptr<f32, local>
  %sum = arith.addf %first, %square : f32
  ocl.store %sum, %x[%gid] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @context(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %square = wg.context : !wg.context<f32>
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %v, %t[%x_1] : !ocl.ptr<f32, local>
// CHECK-NEXT:     %square_1 = arith.mulf %v, %v : f32
// CHECK-NEXT:     wg.put %square_1, %square[%x_1, %y, %z] : !wg.context<f32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %first = ocl.load %t : !ocl.ptr<f32, local>
// CHECK-NEXT:   wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %square_2 = wg.get %square[%x_2, %y_1, %z_1] : !wg.context<f32>
// CHECK-NEXT:     %sum = arith.addf %first, %square_2 : f32
// CHECK-NEXT:     %gid_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:     ocl.store %sum, %x[%gid_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// An index or a pointer is computed again up to 24 operations: from its ids, neighbours have
// neighbouring ones. Other values are, up to 8.

ocl.kernel @address(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %l = ocl.local_id 0 : index
  %i = arith.index_cast %l : index to i32
  %a = arith.addi %i, %n : i32
  %b = arith.muli %a, %n : i32
  %c = arith.xori %b, %i : i32
  %d = arith.addi %c, %n : i32
  %e = arith.muli %d, %i : i32
  %f = arith.xori %e, %n : i32
  %g = arith.addi %f, %i : i32
  %value = arith.muli %g, %n : i32
  %index = arith.index_cast %value : i32 to index
  ocl.store %value, %x[%index] : !ocl.ptr<i32, global>
  ocl.barrier global
  ocl.store %n, %x[%index] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @address(
// CHECK-NOT:     wg.context
// CHECK:         wg.parallel (%x_1, %y, %z) in
// CHECK:         wg.parallel (%x_2, %y_1, %z_1) in
// CHECK-NEXT:      %{{.*}} = arith.index_cast %x_2 : index to i32
// CHECK:           %value_{{.}} = arith.muli
// CHECK-NEXT:      %index_{{.}} = arith.index_cast %value_{{.}} : i32 to index
// CHECK-NEXT:      ocl.store %n, %x[%index_{{.}}]


// Private memory that two regions use is a context array too; what one region uses is not.

ocl.kernel @private_memory(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %zero = arith.constant 0 : index
  %gid = ocl.global_id 0 : index
  %kept = ocl.alloca : !ocl.ptr<!ocl.array<4 x f32>, private>
  %p = ocl.cast %kept : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
  %scratch = ocl.alloca : !ocl.ptr<f32, private>
  %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
  ocl.store %v, %scratch : !ocl.ptr<f32, private>
  %w = ocl.load %scratch : !ocl.ptr<f32, private>
  ocl.store %w, %p[%zero] : !ocl.ptr<f32, private>
  ocl.barrier global
  %u = ocl.load %p[%zero] : !ocl.ptr<f32, private>
  ocl.store %u, %x[%gid] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @private_memory(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %kept = wg.context : !wg.context<!ocl.array<4 x f32>>
// CHECK-NEXT:   %0 = ocl.group_id 0 : index
// CHECK-NEXT:   %1 = ocl.global_offset 0 : index
// CHECK-NEXT:   %2 = arith.muli %0, %lx : index
// CHECK-NEXT:   %first_x = arith.addi %2, %1 : index
// CHECK-NEXT:   %zero = arith.constant 0 : index
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %kept_1 = wg.slot %kept[%x_1, %y, %z] : !wg.context<!ocl.array<4 x f32>> -> !ocl.ptr<!ocl.array<4 x f32>, private>
// CHECK-NEXT:     %p = ocl.cast %kept_1 : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
// CHECK-NEXT:     %gid = arith.addi %first_x, %x_1 : index
// CHECK-NEXT:     %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %scratch = ocl.alloca : !ocl.ptr<f32, private>
// CHECK-NEXT:     ocl.store %v, %scratch : !ocl.ptr<f32, private>
// CHECK-NEXT:     %w = ocl.load %scratch : !ocl.ptr<f32, private>
// CHECK-NEXT:     ocl.store %w, %p[%zero] : !ocl.ptr<f32, private>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %kept_2 = wg.slot %kept[%x_2, %y_1, %z_1] : !wg.context<!ocl.array<4 x f32>> -> !ocl.ptr<!ocl.array<4 x f32>, private>
// CHECK-NEXT:     %p_1 = ocl.cast %kept_2 : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
// CHECK-NEXT:     %u = ocl.load %p_1[%zero] : !ocl.ptr<f32, private>
// CHECK-NEXT:     %gid_1 = arith.addi %first_x, %x_2 : index
// CHECK-NEXT:     ocl.store %u, %x[%gid_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// A required size makes the local size constant. Attributes of the kernel are kept.

ocl.kernel @required(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "uint*"}) attributes {reqd_work_group_size = array<i64: 8, 4, 1>, note = "kept"} {
  %i = ocl.global_id 1 : index
  %v = arith.index_cast %i : index to i32
  ocl.store %v, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @required(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "uint*"}) attributes {reqd_work_group_size = array<i64: 8, 4, 1>, local_size = array<i64: 8, 4, 1>, note = "kept"} {
// CHECK-NEXT:   %lx = arith.constant 8 : index
// CHECK-NEXT:   %ly = arith.constant 4 : index
// CHECK-NEXT:   %lz = arith.constant 1 : index
// CHECK-NEXT:   %0 = ocl.group_id 1 : index
// CHECK-NEXT:   %1 = ocl.global_offset 1 : index
// CHECK-NEXT:   %2 = arith.muli %0, %ly : index
// CHECK-NEXT:   %first_y = arith.addi %2, %1 : index
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %i = arith.addi %first_y, %y : index
// CHECK-NEXT:     %v = arith.index_cast %i : index to i32
// CHECK-NEXT:     ocl.store %v, %x[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }


// All work-items take part in one async copy: it runs once, and waiting is a boundary.

ocl.kernel @async(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
  %n = ocl.local_size 0 : index
  %one = arith.constant 1 : index
  %lid = ocl.local_id 0 : index
  %none = ocl.null_event
  %events = ocl.alloca : !ocl.ptr<!ocl.event, private>
  %e = ocl.async_copy %t, %x, %n, %none : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
  ocl.store %e, %events : !ocl.ptr<!ocl.event, private>
  ocl.wait_events %one, %events : !ocl.ptr<!ocl.event, private>
  %v = ocl.load %t[%lid] : !ocl.ptr<f32, local>
  ocl.store %v, %x[%lid] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: wg.func @async(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
// CHECK-NEXT:   %lx = ocl.local_size 0 : index
// CHECK-NEXT:   %ly = ocl.local_size 1 : index
// CHECK-NEXT:   %lz = ocl.local_size 2 : index
// CHECK-NEXT:   %n = ocl.local_size 0 : index
// CHECK-NEXT:   %one = arith.constant 1 : index
// CHECK-NEXT:   %none = ocl.null_event
// CHECK-NEXT:   %e = ocl.async_copy %t, %x, %n, %none : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
// CHECK-NEXT:   wg.parallel (%x_1, %y, %z) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %events = ocl.alloca : !ocl.ptr<!ocl.event, private>
// CHECK-NEXT:     ocl.store %e, %events : !ocl.ptr<!ocl.event, private>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.parallel (%x_2, %y_1, %z_1) in (%lx, %ly, %lz) {
// CHECK-NEXT:     %v = ocl.load %t[%x_2] : !ocl.ptr<f32, local>
// CHECK-NEXT:     ocl.store %v, %x[%x_2] : !ocl.ptr<f32, global>
// CHECK-NEXT:   }
// CHECK-NEXT:   wg.return
// CHECK-NEXT: }
