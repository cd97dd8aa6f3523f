// RUN: ocl-opt %s -p ocl-insert-checks --split-input-file | filecheck %s

// An access outside of its array marks the group, and does not happen. What is written is shared by
// all work-items: each access is recorded in the cell of what it accesses.
// CHECK-LABEL: ocl.kernel @copy
// CHECK-SAME:    %x_bytes: i64
// CHECK-SAME:    %y_bytes: i64
// CHECK-SAME:    %y_cells: !ocl.ptr<i64, global>
// CHECK-SAME:    %suspects: !ocl.ptr<i32, global>
// CHECK:         %[[END:.*]] = arith.maxsi
// CHECK:         %[[AT:.*]] = arith.muli
// CHECK-NEXT:    %[[OK:.*]] = arith.cmpi ult, %[[AT]], %[[END]] : i64
// CHECK-NEXT:    %v = scf.if %[[OK]] -> (f32) {
// CHECK-NEXT:      %[[V:.*]] = ocl.load %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      scf.yield %[[V]] : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      ocl.store %{{.*}}, %suspects[%{{.*}}] : !ocl.ptr<i32, global>
// CHECK:         scf.if %{{.*}} {
// CHECK:           func.call @check.shared_by_all(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %suspects)
// CHECK-NEXT:      ocl.store %v, %y[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:    } else {
ocl.kernel @copy(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
  ocl.store %v, %y[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// -----

// Local memory has cells of its own, which the group clears first. Barriers are counted: what is on
// two sides of one does not race.
// CHECK-LABEL: ocl.kernel @reverse
// CHECK:         ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i64>, local>
// CHECK:         %[[EPOCH:.*]] = ocl.alloca : !ocl.ptr<i64, private>
// CHECK:         ocl.barrier local
// CHECK:         func.call @check.shared_by_group
// CHECK-NEXT:    ocl.store %{{.*}}, %tile
// CHECK:         ocl.barrier local
// CHECK-NEXT:    %[[NOW:.*]] = ocl.load %[[EPOCH]] : !ocl.ptr<i64, private>
// CHECK:         func.call @check.shared_by_group
// CHECK-NEXT:    %{{.*}} = ocl.load %tile
ocl.kernel @reverse(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %y: !ocl.ptr<i32, global> {ocl.name = "y"}) {
  %memory = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %tile = ocl.cast %memory : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %i = ocl.global_id 0 : index
  %l = ocl.local_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  ocl.store %v, %tile[%l] : !ocl.ptr<i32, local>
  ocl.barrier local
  %last = arith.constant 7 : index
  %other = arith.subi %last, %l : index
  %w = ocl.load %tile[%other] : !ocl.ptr<i32, local>
  ocl.store %w, %y[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// -----

// Private memory has a mark for each element: whether it was set.
// CHECK-LABEL: ocl.kernel @element
// CHECK:         %[[MEMORY:.*]] = ocl.alloca : !ocl.ptr<!ocl.array<4 x i8>, private>
// CHECK:         %[[MARKS:.*]] = ocl.cast %[[MEMORY]]
// CHECK:         ocl.store %{{.*}}, %[[MARKS]]
// CHECK:         %[[MARK:.*]] = ocl.load %[[MARKS]]
// CHECK:         %[[UNSET:.*]] = arith.cmpi eq, %[[MARK]]
// CHECK:         scf.if %[[UNSET]] {
// CHECK-NEXT:      ocl.store %{{.*}}, %suspects
ocl.kernel @element(%y: !ocl.ptr<i32, global> {ocl.name = "y"}, %n: i32 {ocl.name = "n"}) {
  %memory = ocl.alloca : !ocl.ptr<!ocl.array<4 x i32>, private>
  %a = ocl.cast %memory : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
  %c0 = arith.constant 0 : index
  ocl.store %n, %a[%c0] : !ocl.ptr<i32, private>
  %at = arith.index_cast %n : i32 to index
  %v = ocl.load %a[%at] : !ocl.ptr<i32, private>
  ocl.store %v, %y[%c0] : !ocl.ptr<i32, global>
  ocl.return
}
