// RUN: ocl-opt %s -p carry-stores | filecheck %s
// RUN: ocl-opt %s -p carry-stores --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Sums in an array: each iteration reads what the one before has stored.
// REMARK: carry_stores.mlir:[[# @LINE + 11]]:5: remark: carried from the iteration that stores it [carry-stores]
// REMARK-NEXT: carry_stores.mlir:{{.*}} remark: carried from the iteration that stores it [carry-stores]
// REMARK-NEXT: carry_stores.mlir:{{.*}} remark: carried from the iteration that stores it [carry-stores]
// REMARK-NEXT: carry_stores.mlir:{{.*}} remark: carried from the iteration that stores it [carry-stores]
// REMARK-NOT: remark
ocl.kernel @sums(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c1 to %c9 step %c1 {
    %p = ocl.load %a[%i] : !ocl.ptr<f32, global>
    %j = arith.subi %i, %c1 : index
    %q = ocl.load %a[%j] : !ocl.ptr<f32, global>
    %s = arith.addf %p, %q : f32
    ocl.store %s, %a[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @sums
// CHECK:           %j = arith.subi %c1, %c1 : index
// CHECK-NEXT:      %[[FIRST:[0-9]+]] = ocl.load %a[%j] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %{{.*}} = scf.for %i = %c1 to %c9 step %c1 iter_args(%q = %[[FIRST]]) -> (f32) {
// CHECK-NEXT:        %p = ocl.load %a[%i] : !ocl.ptr<f32, global>
// CHECK:             %s = arith.addf %p, %q : f32
// CHECK-NEXT:        ocl.store %s, %a[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:        scf.yield %s : f32

// There is another store to the same memory.
ocl.kernel @after(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %v: f32 {ocl.name = "v"}) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c1 to %c9 step %c1 {
    ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
    %j = arith.subi %i, %c1 : index
    %q = ocl.load %a[%j] : !ocl.ptr<f32, global>
    ocl.store %q, %a[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @after
// CHECK-NOT:       iter_args

// The other buffer may be the same one.
ocl.kernel @others(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c1 to %c9 step %c1 {
    %j = arith.subi %i, %c1 : index
    %q = ocl.load %a[%j] : !ocl.ptr<f32, global>
    ocl.store %q, %a[%i] : !ocl.ptr<f32, global>
    ocl.store %q, %b[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @others
// CHECK-NOT:       iter_args

// All elements become the first one.
ocl.kernel @spread(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c1 to %c9 step %c1 {
    %j = arith.subi %i, %c1 : index
    %q = ocl.load %a[%j] : !ocl.ptr<f32, global>
    ocl.store %q, %a[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @spread
// CHECK:         scf.for %i = %c1 to %c9 step %c1 iter_args(%q = %{{.*}}) -> (f32) {
// CHECK-NOT:       ocl.load
// CHECK:           ocl.store %q
// CHECK:           scf.yield %q : f32

// Loads are two iterations behind, and one, in the text after the store. What the first iterations
// read is there if there is a first one: the second element is between two of its own.
ocl.kernel @recurrence(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, local> {ocl.name = "b"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c2 to %end step %c1 {
    %j = arith.subi %i, %c2 : index
    %q = ocl.load %a[%j] : !ocl.ptr<f32, global>
    %s = arith.addf %q, %q : f32
    ocl.store %s, %a[%i] : !ocl.ptr<f32, global>
    %k = arith.subi %i, %c1 : index
    %p = ocl.load %a[%k] : !ocl.ptr<f32, global>
    ocl.store %p, %b[%i] : !ocl.ptr<f32, local>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @recurrence
// CHECK:           %[[NEXT:[0-9]+]] = arith.addi %j, %{{.*}} : index
// CHECK:           %[[LATER:[0-9]+]] = scf.if %{{.*}} -> (f32) {
// CHECK-NEXT:        ocl.load %a[%[[NEXT]]] : !ocl.ptr<f32, global>
// CHECK:           %[[FIRST:[0-9]+]] = scf.if %{{.*}} -> (f32) {
// CHECK-NEXT:        ocl.load %a[%j] : !ocl.ptr<f32, global>
// CHECK:           scf.for %i = %c2 to %end step %c1 iter_args(%p = %[[LATER]], %q = %[[FIRST]]) -> (f32, f32) {
// CHECK-NOT:         ocl.load
// CHECK:             ocl.store %s, %a[%i] : !ocl.ptr<f32, global>
// CHECK:             ocl.store %p, %b[%i] : !ocl.ptr<f32, local>
// CHECK-NEXT:        scf.yield %s, %p : f32, f32
