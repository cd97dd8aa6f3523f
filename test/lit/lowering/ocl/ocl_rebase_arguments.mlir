// RUN: ocl-opt %s -p 'ocl-rebase-arguments{arguments=x,y}' | filecheck %s
// RUN: not ocl-opt %s -p 'ocl-rebase-arguments{arguments=n}' 2>&1 | filecheck %s --check-prefix=NONE

// NONE: ocl-rebase-arguments: kernel 'k' has no pointer 'n' to global or constant memory; its parameters: x, y, n

// The starts follow the other parameters. An index is changed through casts too; an atomic
// operation has no index, so its pointer is moved.

// CHECK: ocl.kernel @k(%x: {{.*}}, %y: {{.*}}, %n: {{.*}}, %x_start: i64 {ocl.name = "x_start", ocl.type = "long"}, %y_start: i64 {{.*}}) {
// CHECK-NEXT: %[[Y:.*]] = arith.index_cast %y_start : i64 to index
// CHECK-NEXT: %[[X:.*]] = arith.index_cast %x_start : i64 to index
// CHECK-NEXT: %i = ocl.global_id 0 : index
// CHECK-NEXT: %[[I:.*]] = arith.subi %i, %[[X]] : index
// CHECK-NEXT: %v = ocl.load %x[%[[I]]] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT: %[[C:.*]] = arith.constant 4 : index
// CHECK-NEXT: %[[S:.*]] = arith.muli %[[X]], %[[C]] : index
// CHECK-NEXT: %f = ocl.cast %x
// CHECK-NEXT: %[[J:.*]] = arith.subi %i, %[[S]] : index
// CHECK-NEXT: %w = ocl.load %f[%[[J]]] : !ocl.ptr<f32, global>
// CHECK: %[[M:.*]] = arith.subi %i, %[[Y]] : index
// CHECK-NEXT: %p = ocl.offset %y[%[[M]]] : !ocl.ptr<i32, global>
// CHECK-NEXT: %a = ocl.atomic_rmw add %p, %n : !ocl.ptr<i32, global>
// CHECK: %[[N:.*]] = arith.subi %{{.*}}, %[[Y]] : index
// CHECK-NEXT: %[[Q:.*]] = ocl.offset %y[%[[N]]] : !ocl.ptr<i32, global>
// CHECK-NEXT: %b = ocl.atomic_rmw add %[[Q]], %n : !ocl.ptr<i32, global>
ocl.kernel @k(%x: !ocl.ptr<vector<4xf32>, global> {ocl.name = "x"}, %y: !ocl.ptr<i32, global> {ocl.name = "y"}, %n: i32 {ocl.name = "n"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<vector<4xf32>, global>
  %f = ocl.cast %x : !ocl.ptr<vector<4xf32>, global> to !ocl.ptr<f32, global>
  %w = ocl.load %f[%i] : !ocl.ptr<f32, global>
  %p = ocl.offset %y[%i] : !ocl.ptr<i32, global>
  %a = ocl.atomic_rmw add %p, %n : !ocl.ptr<i32, global>
  %b = ocl.atomic_rmw add %y, %n : !ocl.ptr<i32, global>
  ocl.return
}
