// RUN: ocl-opt %s -p ocl-expand-collectives | filecheck %s

// A sum of a work-group: all values are in local memory, each work-item adds up a column of rows of
// 16, and then all combine the 16 sums in halves.

// CHECK: ocl.kernel @sum
ocl.kernel @sum(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %i = ocl.local_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
  // CHECK: %[[values:.*]] = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  // CHECK: ocl.store %v, %[[memory:.*]][%{{.*}}] : !ocl.ptr<f32, local>
  // CHECK-NEXT: ocl.barrier local
  // CHECK: %[[column:.*]] = scf.for
  // CHECK-NEXT: ocl.load
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: scf.yield
  // CHECK: ocl.local_alloc : !ocl.ptr<!ocl.array<16 x f32>, local>
  // CHECK: ocl.store %[[column]]
  // CHECK-NEXT: ocl.barrier local
  // CHECK-COUNT-15: arith.addf
  // CHECK: ocl.barrier local
  // CHECK-NEXT: ocl.store
  %s = ocl.group_reduce work_group add %v : f32
  ocl.store %s, %x[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// Each work-item copies every n-th element, and waiting is a barrier.

// CHECK: ocl.kernel @copy
ocl.kernel @copy(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
  %n = arith.constant 100 : index
  %none = ocl.null_event
  // CHECK: scf.for %{{.*}} = %{{.*}} to %n step %{{.*}} {
  // CHECK-NEXT: %[[value:.*]] = ocl.load %x
  // CHECK-NEXT: ocl.store %[[value]], %t
  %e = ocl.async_copy %t, %x, %n, %none : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
  %events = ocl.alloca : !ocl.ptr<!ocl.event, private>
  %one = arith.constant 1 : index
  // CHECK: ocl.barrier local global
  ocl.wait_events %one, %events : !ocl.ptr<!ocl.event, private>
  ocl.return
}
