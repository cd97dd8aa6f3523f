// RUN: ocl-opt %s -p 'wg-to-launch,wg-private-counters{distinct=true}' | filecheck %s
// RUN: ocl-opt %s -p 'wg-to-launch,wg-private-counters' | filecheck %s --check-prefix SHARED

// A thread counts bytes for itself in all its groups, and adds its counters that are not zero.
wg.func @bytes(%in: !ocl.ptr<i8, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %one = arith.constant 1 : i32
  %g = ocl.group_id 0 : index
  %v = ocl.load %in[%g] : !ocl.ptr<i8, global>
  %w = arith.extui %v : i8 to i64
  %i = arith.index_cast %w : i64 to index
  %p = ocl.offset %out[%i] : !ocl.ptr<i32, global>
  %old = ocl.atomic_rmw add %p, %one : !ocl.ptr<i32, global>
  wg.return
}

// CHECK-LABEL: func.func @bytes
// CHECK:         %[[MEMORY:.*]] = ocl.alloca : !ocl.ptr<!ocl.array<256 x i32>, private>
// CHECK-NEXT:    %own = ocl.cast %[[MEMORY]]
// CHECK:         scf.for
// CHECK-NEXT:      ocl.store %{{.*}}, %own
// CHECK:         scf.for %group = %begin to %end
// CHECK-NOT:       ocl.atomic_rmw
// CHECK:           %[[OLD:.*]] = ocl.load %own[%i]
// CHECK-NEXT:      %[[NEW:.*]] = arith.addi %[[OLD]], %one
// CHECK-NEXT:      ocl.store %[[NEW]], %own[%i]
// CHECK:         scf.for
// CHECK-NEXT:      %[[COUNTED:.*]] = ocl.load %own
// CHECK-NEXT:      %[[SOME:.*]] = arith.cmpi ne, %[[COUNTED]]
// CHECK-NEXT:      scf.if %[[SOME]] {
// CHECK-NEXT:        %[[PLACE:.*]] = ocl.offset %out
// CHECK-NEXT:        ocl.atomic_rmw add %[[PLACE]], %[[COUNTED]]

// Other memory may be the counters' own, unless the launch says that it is not.
// SHARED-LABEL: func.func @bytes
// SHARED-NOT:     ocl.alloca
// SHARED:         ocl.atomic_rmw add %p, %one

// One counter without an index, and no other memory.
wg.func @one(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %one = arith.constant 1 : i32
  %old = ocl.atomic_rmw add %out, %one : !ocl.ptr<i32, global>
  wg.return
}

// CHECK-LABEL: func.func @one
// CHECK:         ocl.alloca : !ocl.ptr<!ocl.array<1 x i32>, private>
// SHARED-LABEL: func.func @one
// SHARED:         ocl.alloca : !ocl.ptr<!ocl.array<1 x i32>, private>

// A fence orders additions, a result is used, the array is read, the index may be large.
wg.func @fence(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %one = arith.constant 1 : i32
  ocl.fence release global
  %old = ocl.atomic_rmw add %out, %one : !ocl.ptr<i32, global>
  wg.return
}
wg.func @result(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %last: !ocl.ptr<i32, global> {ocl.name = "last"}) {
  %one = arith.constant 1 : i32
  %old = ocl.atomic_rmw add %out, %one : !ocl.ptr<i32, global>
  ocl.store %old, %last : !ocl.ptr<i32, global>
  wg.return
}
wg.func @read(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %one = arith.constant 1 : i32
  %v = ocl.load %out : !ocl.ptr<i32, global>
  %old = ocl.atomic_rmw add %out, %v : !ocl.ptr<i32, global>
  wg.return
}
wg.func @large(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %one = arith.constant 1 : i32
  %g = ocl.group_id 0 : index
  %p = ocl.offset %out[%g] : !ocl.ptr<i32, global>
  %old = ocl.atomic_rmw add %p, %one : !ocl.ptr<i32, global>
  wg.return
}

// CHECK-LABEL: func.func @fence
// CHECK-NOT:     ocl.alloca
// CHECK:       func.func @large
