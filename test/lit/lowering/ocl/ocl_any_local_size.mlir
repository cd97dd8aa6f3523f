// RUN: ocl-opt %s -p ocl-any-local-size --split-input-file --verify-diagnostics | filecheck %s

// The required size is gone; the query stays, for the launch to answer.
// CHECK:      ocl.kernel @k(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
// CHECK-NEXT:   %n = ocl.local_size 0 : index
// CHECK:        ocl.store %m, %p : !ocl.ptr<i64, global>
ocl.kernel @k(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = ocl.local_size 0 : index
  %m = arith.index_cast %n : index to i64
  ocl.store %m, %p : !ocl.ptr<i64, global>
  ocl.return
}

// -----

// CHECK: 'ocl.sub_group' needs a constant local size; run ocl-set-local-size instead of ocl-any-local-size
ocl.kernel @sub_groups(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
  %n = ocl.sub_group local_id : index
  %m = arith.index_cast %n : index to i64
  ocl.store %m, %p : !ocl.ptr<i64, global>
  ocl.return
}
