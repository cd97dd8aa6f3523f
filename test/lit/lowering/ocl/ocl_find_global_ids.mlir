// RUN: ocl-opt %s -p ocl-find-global-ids | filecheck %s

// A group's first id, plus the local id: the global id without the launch's offset. Queries that
// nothing reads any more are gone.
// CHECK-LABEL: ocl.kernel @sums
// CHECK-NEXT:    %0 = ocl.global_id 0 : index
// CHECK-NEXT:    %1 = ocl.global_offset 0 : index
// CHECK-NEXT:    %2 = arith.subi %0, %1 : index
// CHECK-NEXT:    %i = arith.index_cast %2 : index to i64
// CHECK-NEXT:    ocl.store %i, %p : !ocl.ptr<i64, global>
// CHECK-NEXT:    ocl.return
ocl.kernel @sums(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
  %0 = ocl.group_id 0 : index
  %g = arith.index_cast %0 : index to i64
  %1 = ocl.local_size 0 : index
  %n = arith.index_cast %1 : index to i64
  %first = arith.muli %g, %n : i64
  %2 = ocl.local_id 0 : index
  %l = arith.index_cast %2 : index to i64
  %i = arith.addi %first, %l : i64
  ocl.store %i, %p : !ocl.ptr<i64, global>
  ocl.return
}

// A number is the local size that the kernel requires, a shift too; other terms stay, and numbers
// of 32 bits that were extended are ids, too.
// CHECK-LABEL: ocl.kernel @numbers
// CHECK-NEXT:    %c64 = arith.constant 64 : i32
// CHECK-NEXT:    %0 = ocl.global_id 0 : index
// CHECK-NEXT:    %1 = ocl.global_offset 0 : index
// CHECK-NEXT:    %2 = arith.subi %0, %1 : index
// CHECK-NEXT:    %i = arith.index_cast %2 : index to i32
// CHECK-NEXT:    %3 = ocl.global_id 1 : index
// CHECK-NEXT:    %4 = ocl.global_offset 1 : index
// CHECK-NEXT:    %5 = arith.subi %3, %4 : index
// CHECK-NEXT:    %6 = arith.index_cast %5 : index to i32
// CHECK-NEXT:    %j = arith.addi %6, %c64 : i32
// CHECK-NEXT:    ocl.store %i, %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.store %j, %p : !ocl.ptr<i32, global>
ocl.kernel @numbers(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) attributes {reqd_work_group_size = array<i64: 64, 8, 1>} {
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i32
  %0 = ocl.group_id 0 : index
  %g = arith.index_cast %0 : index to i32
  %1 = ocl.local_id 0 : index
  %l = arith.index_cast %1 : index to i32
  %i = ocl.builtin "s_mad24"(%g, %c64, %l) : (i32, i32, i32) -> i32
  %2 = ocl.group_id 1 : index
  %h = arith.index_cast %2 : index to i32
  %3 = ocl.local_id 1 : index
  %m = arith.index_cast %3 : index to i32
  %first = arith.shli %h, %c3 : i32
  %4 = arith.addi %first, %c64 : i32
  %j = arith.addi %4, %m : i32
  ocl.store %i, %p : !ocl.ptr<i32, global>
  ocl.store %j, %p : !ocl.ptr<i32, global>
  ocl.return
}

// The number of groups times their size.
// CHECK-LABEL: ocl.kernel @step
// CHECK-NEXT:    %n = ocl.global_size 0 : index
// CHECK-NEXT:    %v = arith.index_cast %n : index to i64
// CHECK-NEXT:    ocl.store %v, %p : !ocl.ptr<i64, global>
ocl.kernel @step(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
  %0 = ocl.num_groups 0 : index
  %1 = ocl.local_size 0 : index
  %n = arith.muli %1, %0 : index
  %v = arith.index_cast %n : index to i64
  ocl.store %v, %p : !ocl.ptr<i64, global>
  ocl.return
}

// Another dimension, another number, twice the group, or 16 bits are something else.
// CHECK-LABEL: ocl.kernel @others
// CHECK-NOT:     ocl.global_id
ocl.kernel @others(%p: !ocl.ptr<i64, global> {ocl.name = "p"}, %q: !ocl.ptr<i16, global> {ocl.name = "q"}) attributes {reqd_work_group_size = array<i64: 64, 8, 1>} {
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %x = ocl.group_id 0 : index
  %l = ocl.local_id 0 : index
  %n = ocl.local_size 0 : index
  %m = ocl.local_size 1 : index
  %0 = arith.muli %x, %m : index
  %1 = arith.addi %0, %l : index
  %2 = arith.muli %x, %c8 : index
  %3 = arith.addi %2, %l : index
  %4 = arith.muli %x, %c2 : index
  %5 = arith.muli %4, %n : index
  %6 = arith.addi %5, %l : index
  %7 = arith.muli %x, %n : index
  %8 = arith.index_cast %7 : index to i16
  %9 = arith.index_cast %l : index to i16
  %10 = arith.addi %8, %9 : i16
  %v1 = arith.index_cast %1 : index to i64
  ocl.store %v1, %p : !ocl.ptr<i64, global>
  %v3 = arith.index_cast %3 : index to i64
  ocl.store %v3, %p : !ocl.ptr<i64, global>
  %v6 = arith.index_cast %6 : index to i64
  ocl.store %v6, %p : !ocl.ptr<i64, global>
  ocl.store %10, %q : !ocl.ptr<i16, global>
  ocl.return
}

// Where the last group may be smaller, its size is not the distance of groups.
// CHECK-LABEL: ocl.kernel @smaller
// CHECK:         ocl.local_size 0
// CHECK:         %j = arith.subi
ocl.kernel @smaller(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) attributes {ocl.non_uniform} {
  %g = ocl.group_id 0 : index
  %l = ocl.local_id 0 : index
  %n = ocl.local_size 0 : index
  %m = ocl.enqueued_local_size 0 : index
  %0 = arith.muli %g, %n : index
  %i = arith.addi %0, %l : index
  %1 = arith.muli %g, %m : index
  %j = arith.addi %1, %l : index
  %vi = arith.index_cast %i : index to i64
  ocl.store %vi, %p : !ocl.ptr<i64, global>
  %vj = arith.index_cast %j : index to i64
  ocl.store %vj, %p : !ocl.ptr<i64, global>
  ocl.return
}
