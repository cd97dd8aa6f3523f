// RUN: ocl-opt %s -p wg-skip-atomics | filecheck %s

// A fence before an atomic operation makes its write a message to others: it has to happen.
// CHECK: ocl.fence release global
// CHECK-NEXT: ocl.atomic_rmw or %flags, %n : !ocl.ptr<i32, global>
wg.func @message(%flags: !ocl.ptr<i32, global> {ocl.name = "flags"}, %data: !ocl.ptr<i32, global> {ocl.name = "data"}, %n: i32 {ocl.name = "n"}) {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%i, %j, %k) in (%c64, %c1, %c1) {
    ocl.store %n, %data[%i] : !ocl.ptr<i32, global>
    ocl.fence release global
    %old = ocl.atomic_rmw or %flags, %n : !ocl.ptr<i32, global>
  }
  wg.return
}
