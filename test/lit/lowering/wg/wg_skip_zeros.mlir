// RUN: ocl-opt %s -p wg-skip-zeros | filecheck %s

wg.func @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %y: !ocl.ptr<i32, global> {ocl.name = "y"}, %l: !ocl.ptr<i32, local> {ocl.name = "l"}, %n: i32 {ocl.name = "n"}) {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  wg.parallel (%i, %j, %k) in (%c64, %c1, %c1) {
    %v = ocl.load %y[%i] : !ocl.ptr<i32, global>
    // CHECK: %{{.*}} = arith.cmpi ne, %v, %{{.*}} : i32
    // CHECK-NEXT: scf.if
    // CHECK-NEXT: ocl.atomic_rmw add %x, %v
    %a = ocl.atomic_rmw add %x, %v : !ocl.ptr<i32, global>
    // Zero changes something: the number is not known to be another one.
    // CHECK: }
    // CHECK-NEXT: ocl.atomic_rmw and %x, %v
    %b = ocl.atomic_rmw and %x, %v : !ocl.ptr<i32, global>
    // The old value is needed.
    // CHECK-NEXT: %c = ocl.atomic_rmw add %x, %v
    %c = ocl.atomic_rmw add %x, %v : !ocl.ptr<i32, global>
    ocl.store %c, %y[%i] : !ocl.ptr<i32, global>
    // No lock, and never zero.
    // CHECK: ocl.atomic_rmw add %l, %v
    // CHECK-NEXT: ocl.atomic_rmw add %x, %one
    %d = ocl.atomic_rmw add %l, %v : !ocl.ptr<i32, local>
    %e = ocl.atomic_rmw add %x, %one : !ocl.ptr<i32, global>
  }
  wg.return
}
