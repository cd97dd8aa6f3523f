// RUN: ocl-opt %s -p ocl-expand-builtins --print-debuginfo | filecheck %s

// In kernels, in control flow and in work-group code; the place in the source and the name stay.

// CHECK-LABEL: ocl.kernel @k
ocl.kernel @k(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c = arith.constant true
  // CHECK: scf.if %c {
  scf.if %c {
    // CHECK-NEXT: %0 = arith.maxsi %n, %n : i32 loc("k.cl":3:7)
    // CHECK-NEXT: %size = arith.minsi %0, %n : i32 loc("k.cl":3:7)
    %size = ocl.builtin "s_clamp"(%n, %n, %n) : (i32, i32, i32) -> i32 loc("k.cl":3:7)
    // CHECK-NEXT: ocl.store %size, %p : !ocl.ptr<i32, global>
    ocl.store %size, %p : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: wg.func @g
wg.func @g(%n: i32 {ocl.name = "n"}) {
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%one, %one, %one) {
    // CHECK-NOT: ocl.builtin
    %size = ocl.builtin "s_clamp"(%n, %n, %n) : (i32, i32, i32) -> i32
  }
  wg.return
}
