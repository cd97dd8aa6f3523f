// RUN: ocl-opt %s --print-debuginfo | filecheck %s
// RUN: ocl-opt %s --print-debuginfo | ocl-opt --print-debuginfo | filecheck %s
// RUN: ocl-opt %s --print-debuginfo --print-op-generic | ocl-opt --print-debuginfo | filecheck %s

// The place in the source stays with each operation.

// CHECK:      ocl.kernel @k(%p: !ocl.ptr<i32, global> {ocl.name = "p"}
// CHECK:        %i = ocl.global_id 0 : index loc("k.cl":2:7)
// CHECK-NEXT:   %v = ocl.load %p[%i] : !ocl.ptr<i32, global> loc("k.cl":3:9)
// CHECK-NEXT:   %w = ocl.builtin "s_abs"(%v) : (i32) -> i32 loc("k.cl":3:5)
// CHECK-NEXT:   ocl.store %w, %p[%i] : !ocl.ptr<i32, global> loc("k.cl":4:3)
// CHECK-NEXT:   ocl.barrier local loc("k.cl":5:3)
// CHECK-NEXT:   ocl.return loc("k.cl":6:1)
// CHECK-NEXT: } loc("k.cl":1:1)
ocl.kernel @k(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %i = ocl.global_id 0 : index loc("k.cl":2:7)
  %v = ocl.load %p[%i] : !ocl.ptr<i32, global> loc("k.cl":3:9)
  %w = ocl.builtin "s_abs"(%v) : (i32) -> i32 loc("k.cl":3:5)
  ocl.store %w, %p[%i] : !ocl.ptr<i32, global> loc("k.cl":4:3)
  ocl.barrier local loc("k.cl":5:3)
  ocl.return loc("k.cl":6:1)
} loc("k.cl":1:1)
