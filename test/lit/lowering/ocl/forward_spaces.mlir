// RUN: ocl-opt %s -p forward-spaces | filecheck %s

// What an inlined function did through a generic pointer is done in private memory.
ocl.kernel @known(%out: !ocl.ptr<f32, global> {ocl.name = "out"}, %v: f32 {ocl.name = "v"}, %n: i64 {ocl.name = "n"}) {
  %i = arith.index_cast %n : i64 to index
  %a = ocl.alloca : !ocl.ptr<!ocl.array<4 x f32>, private>
  %g = ocl.cast %a : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, generic>
  %h = ocl.offset %g[%i] : !ocl.ptr<f32, generic>
  ocl.store %v, %h : !ocl.ptr<f32, generic>
  %w = ocl.load %g[%i] : !ocl.ptr<f32, generic>
  ocl.store %w, %out : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @known
// CHECK:           %a = ocl.alloca
// CHECK-NEXT:      %[[P:[0-9]+]] = ocl.cast %a : {{.*}} to !ocl.ptr<f32, private>
// CHECK-NEXT:      %h = ocl.offset %[[P]][%i] : !ocl.ptr<f32, private>
// CHECK-NEXT:      ocl.store %v, %h : !ocl.ptr<f32, private>
// CHECK-NEXT:      %[[Q:[0-9]+]] = ocl.cast %a : {{.*}} to !ocl.ptr<f32, private>
// CHECK-NEXT:      %w = ocl.load %[[Q]][%i] : !ocl.ptr<f32, private>
// CHECK-NEXT:      ocl.store %w, %out

// A pointer that is chosen is generic; so is one that is stored itself.
ocl.kernel @chosen(%out: !ocl.ptr<f32, global> {ocl.name = "out"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}, %v: f32 {ocl.name = "v"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %a = ocl.alloca : !ocl.ptr<!ocl.ptr<f32, generic>, private>
  %g = ocl.cast %out : !ocl.ptr<f32, global> to !ocl.ptr<f32, generic>
  %h = ocl.cast %t : !ocl.ptr<f32, local> to !ocl.ptr<f32, generic>
  %c = arith.cmpi eq, %n, %c0 : i32
  %p = arith.select %c, %g, %h : !ocl.ptr<f32, generic>
  ocl.store %v, %p : !ocl.ptr<f32, generic>
  ocl.store %g, %a : !ocl.ptr<!ocl.ptr<f32, generic>, private>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @chosen
// CHECK:           %p = arith.select %c, %g, %h : !ocl.ptr<f32, generic>
// CHECK-NEXT:      ocl.store %v, %p : !ocl.ptr<f32, generic>
// CHECK-NEXT:      ocl.store %g, %a

// Atomic operations are in the space that is known; there are none on private memory.
ocl.kernel @atomics(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %v: i32 {ocl.name = "v"}) {
  %a = ocl.alloca : !ocl.ptr<i32, private>
  %g = ocl.cast %out : !ocl.ptr<i32, global> to !ocl.ptr<i32, generic>
  %h = ocl.cast %a : !ocl.ptr<i32, private> to !ocl.ptr<i32, generic>
  %old = ocl.atomic_rmw add %g, %v : !ocl.ptr<i32, generic>
  %own = ocl.atomic_rmw add %h, %v : !ocl.ptr<i32, generic>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @atomics
// CHECK:           %old = ocl.atomic_rmw add %out, %v : !ocl.ptr<i32, global>
// CHECK-NEXT:      %own = ocl.atomic_rmw add %h, %v : !ocl.ptr<i32, generic>
