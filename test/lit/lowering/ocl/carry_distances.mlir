// RUN: ocl-opt %s -p carry-distances | filecheck %s
// RUN: ocl-opt %s -p carry-distances --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item begins with its own element, and all of them move by n: after the barrier the
// distance is one value for the group, not a pointer for each work-item.
// REMARK: carry_distances.mlir:[[# @LINE + 11]]:3: remark: carries how far 'start' has moved [carry-distances]
ocl.kernel @together(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) {
  %n = arith.index_cast %m : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = ocl.local_id 0 : index
  %start = ocl.offset %a[%x] : !ocl.ptr<f32, global>
  %one = arith.constant 1.0 : f32

  // The remark is about this loop.
  %p = scf.for %i = %c0 to %c8 step %c1 iter_args(%q = %start) -> (!ocl.ptr<f32, global>) {
    ocl.store %one, %q : !ocl.ptr<f32, global>
    ocl.barrier local
    %r = ocl.offset %q[%n] : !ocl.ptr<f32, global>
    scf.yield %r : !ocl.ptr<f32, global>
  }
  ocl.store %one, %p : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @together
// CHECK:           %[[ZERO:[0-9]+]] = arith.constant 0 : index
// CHECK-NEXT:      %p = scf.for %i = %c0 to %c8 step %c1 iter_args(%q = %[[ZERO]]) -> (index) {
// CHECK-NEXT:        %q_1 = ocl.offset %start[%q] : !ocl.ptr<f32, global>
// CHECK-NEXT:        ocl.store %one, %q_1 : !ocl.ptr<f32, global>
// CHECK-NEXT:        ocl.barrier local
// CHECK-NEXT:        %r = ocl.offset %q_1[%n] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %[[SUM:.*]] = arith.addi %q, %n : index
// CHECK-NEXT:        scf.yield %[[SUM]] : index
// CHECK-NEXT:      }
// CHECK-NEXT:      %p_1 = ocl.offset %start[%p] : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.store %one, %p_1 : !ocl.ptr<f32, global>

// An integer that a do-while carries: its body is where the condition is.
ocl.kernel @down(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
  %c5 = arith.constant 5 : i32
  %c0 = arith.constant 0 : i32
  %x = ocl.local_id 0 : index
  %from = arith.index_cast %x : index to i32
  %end, %left = scf.while (%v = %from, %k = %c5) : (i32, i32) -> (i32, i32) {
    ocl.barrier local
    %w = arith.subi %v, %n : i32
    %less = arith.subi %k, %n : i32
    %more = arith.cmpi sgt, %less, %c0 : i32
    scf.condition(%more) %w, %less : i32, i32
  } do {
  ^bb0(%w2: i32, %k2: i32):
    scf.yield %w2, %k2 : i32, i32
  }
  ocl.store %end, %a[%x] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @down
// CHECK:           %end, %left = scf.while (%v = %{{.*}}, %k = %c5) : (i32, i32) -> (i32, i32) {
// CHECK-NEXT:        %v_1 = arith.addi %from, %v : i32
// CHECK-NEXT:        ocl.barrier local
// CHECK-NEXT:        %w = arith.subi %v_1, %n : i32
// CHECK-NEXT:        %less = arith.subi %k, %n : i32
// CHECK-NEXT:        %more = arith.cmpi sgt, %less, %c0 : i32
// CHECK-NEXT:        %[[W:.*]] = arith.subi %v, %n : i32
// CHECK-NEXT:        scf.condition(%more) %[[W]], %less : i32, i32
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%w2: i32, %k2: i32):
// CHECK-NEXT:        scf.yield %w2, %k2 : i32, i32
// CHECK-NEXT:      }
// CHECK-NEXT:      %end_1 = arith.addi %from, %end : i32
// CHECK-NEXT:      ocl.store %end_1, %a[%x] : !ocl.ptr<i32, global>

// Steps that differ between work-items, and loops without a barrier, stay.
ocl.kernel @stay(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) {
  %n = arith.index_cast %m : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = ocl.local_id 0 : index
  %start = ocl.offset %a[%x] : !ocl.ptr<f32, global>
  %one = arith.constant 1.0 : f32
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%q = %start) -> (!ocl.ptr<f32, global>) {
    ocl.store %one, %q : !ocl.ptr<f32, global>
    ocl.barrier local
    %r = ocl.offset %q[%x] : !ocl.ptr<f32, global>
    scf.yield %r : !ocl.ptr<f32, global>
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%q = %start) -> (!ocl.ptr<f32, global>) {
    ocl.store %one, %q : !ocl.ptr<f32, global>
    %r = ocl.offset %q[%n] : !ocl.ptr<f32, global>
    scf.yield %r : !ocl.ptr<f32, global>
  }
  ocl.store %one, %p : !ocl.ptr<f32, global>
  ocl.store %one, %t : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @stay
// CHECK:           scf.for {{.*}} iter_args(%q = %start) -> (!ocl.ptr<f32, global>) {
// CHECK:           scf.for {{.*}} iter_args({{.*}} = %start) -> (!ocl.ptr<f32, global>) {
