// RUN: ocl-opt %s -p ocl-insert-checks | filecheck %s

// A branch with a barrier: the group takes it if all work-items do. If only some do, it is suspected,
// and the number after those of the groups tells that it has left the barrier out.
// CHECK-LABEL: ocl.kernel @votes
ocl.kernel @votes(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  // CHECK: %[[EVERY:.*]] = ocl.group_reduce work_group and %[[OWN:[^ ]*]] : i32
  // CHECK: %[[SOME:.*]] = ocl.group_reduce work_group or %[[OWN]] : i32
  // CHECK: %[[DIFFERS:.*]] = arith.cmpi ne, %[[EVERY]], %[[SOME]] : i32
  // CHECK: %[[ALL:.*]] = arith.cmpi ne, %[[EVERY]]
  // CHECK: scf.if %[[DIFFERS]] {
  // CHECK-NEXT: ocl.store %{{.*}}, %suspects
  // CHECK: ocl.store %{{.*}}, %suspects
  // CHECK: scf.if %[[ALL]] {
  // CHECK-NEXT: ocl.barrier local
  %i = ocl.global_id 0 : index
  %c13 = arith.constant 13 : index
  %c = arith.cmpi ult, %i, %c13 : index
  scf.if %c {
    ocl.barrier local
  }
  ocl.return
}
