// RUN: ocl-opt %s -p ocl-resolve-spaces --split-input-file --verify-diagnostics | filecheck %s

// The space of a pointer is that of all pointers it may come from.
ocl.kernel @known(%g: !ocl.ptr<i32, global> {ocl.name = "g"}, %flag: i8 {ocl.name = "flag"}) {
  %c = arith.trunci %flag : i8 to i1
  %l = ocl.local_alloc : !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %m = ocl.cast %l : !ocl.ptr<i32, local> to !ocl.ptr<i32, generic>
  %n = ocl.offset %m[%c1] : !ocl.ptr<i32, generic>
  %null = ocl.null : !ocl.ptr<i32, generic>
  %p = arith.select %c, %n, %m : !ocl.ptr<i32, generic>
  %q = scf.if %c -> (!ocl.ptr<i32, generic>) {
    scf.yield %p : !ocl.ptr<i32, generic>
  } else {
    scf.yield %null : !ocl.ptr<i32, generic>
  }
  %is_local = ocl.is_in local %p : !ocl.ptr<i32, generic>
  %is_global = ocl.is_in global %p : !ocl.ptr<i32, generic>
  %or_null = ocl.is_in local %q : !ocl.ptr<i32, generic>
  "test.op"(%is_local, %is_global, %or_null) : (i1, i1, i1) -> ()
  ocl.return
}

// CHECK-LABEL: ocl.kernel @known
// CHECK:         %is_local = arith.constant true
// CHECK-NEXT:    %is_global = arith.constant false
// CHECK-NEXT:    [[ADDRESS:%.*]] = ocl.ptr_to_int %q
// CHECK-NEXT:    [[ZERO:%.*]] = arith.constant 0 : i64
// CHECK-NEXT:    %or_null = arith.cmpi ne, [[ADDRESS]], [[ZERO]] : i64

// -----

// A pointer from memory is compared with the kernel's variables.
ocl.kernel @from_memory(%g: !ocl.ptr<!ocl.ptr<i32, generic>, global> {ocl.name = "g"}) {
  %l = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
  %p = ocl.load %g : !ocl.ptr<!ocl.ptr<i32, generic>, global>
  %is_local = ocl.is_in local %p : !ocl.ptr<i32, generic>
  "test.op"(%is_local) : (i1) -> ()
  ocl.return
}

// CHECK-LABEL: ocl.kernel @from_memory
// CHECK:         [[ADDRESS:%.*]] = ocl.ptr_to_int %p
// CHECK:         [[START:%.*]] = ocl.ptr_to_int %l
// CHECK-NEXT:    [[DISTANCE:%.*]] = arith.subi [[ADDRESS]], [[START]] : i64
// CHECK-NEXT:    [[SIZE:%.*]] = arith.constant 16 : i64
// CHECK-NEXT:    arith.cmpi ult, [[DISTANCE]], [[SIZE]] : i64

// -----

ocl.kernel @unknown(%g: !ocl.ptr<!ocl.ptr<i32, generic>, global> {ocl.name = "g"}, %l: !ocl.ptr<i32, local> {ocl.name = "l"}) {
  %p = ocl.load %g : !ocl.ptr<!ocl.ptr<i32, generic>, global>
  // CHECK: the address space of this generic pointer is not known
  %is_local = ocl.is_in local %p : !ocl.ptr<i32, generic>
  "test.op"(%is_local) : (i1) -> ()
  ocl.return
}
