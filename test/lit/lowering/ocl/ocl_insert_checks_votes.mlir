// RUN: ocl-opt %s -p ocl-insert-checks | filecheck %s

// The last branch has a barrier: the group takes it if all work-items do, and is suspected if only
// some do.
// CHECK-LABEL: ocl.kernel @votes
ocl.kernel @votes(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  // CHECK: ocl.group_reduce work_group and %[[OWN:[^ ]*]] : i32
  // CHECK: %[[ALL:.*]] = arith.cmpi ne
  // CHECK: ocl.group_reduce work_group or %[[OWN]] : i32
  // CHECK: %[[ANY:.*]] = arith.cmpi ne
  // CHECK: %[[DIFFERS:.*]] = arith.cmpi ne, %[[ALL]], %[[ANY]] : i1
  // CHECK: scf.if %[[DIFFERS]] {
  // CHECK-NEXT: ocl.store %{{.*}}, %suspects
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
