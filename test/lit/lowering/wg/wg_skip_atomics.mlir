// RUN: ocl-opt %s -p wg-skip-atomics | filecheck %s
// RUN: ocl-opt %s -p wg-skip-atomics --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// Neighbours in a graph: most are near enough already, and no lock is needed to see that.
// CHECK-LABEL: wg.func @neighbours(
wg.func @neighbours(%cost: !ocl.ptr<i32, global> {ocl.name = "cost"}, %seen: !ocl.ptr<i32, global> {ocl.name = "seen"}, %l: !ocl.ptr<i32, local> {ocl.name = "l"}, %n: i32 {ocl.name = "n"}) {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%i, %j, %k) in (%c64, %c1, %c1) {
    // CHECK:      %[[SEEN:.*]] = ocl.load volatile %cost : !ocl.ptr<i32, global>
    // CHECK-NEXT: %[[NEW:.*]] = arith.minsi %[[SEEN]], %n : i32
    // CHECK-NEXT: %[[CHANGES:.*]] = arith.cmpi ne, %[[NEW]], %[[SEEN]] : i32
    // CHECK-NEXT: %[[OLD:.*]] = scf.if %[[CHANGES]] -> (i32) {
    // CHECK-NEXT:   %[[LOCKED:.*]] = ocl.atomic_rmw smin %cost, %n : !ocl.ptr<i32, global>
    // CHECK-NEXT:   scf.yield %[[LOCKED]] : i32
    // CHECK-NEXT: } else {
    // CHECK-NEXT:   scf.yield %[[SEEN]] : i32
    // CHECK-NEXT: }
    // REMARK: done only where it changes memory [wg-skip-atomics]
    %old = ocl.atomic_rmw smin %cost, %n : !ocl.ptr<i32, global>
    // An exchange stores its operand as it is.
    // CHECK-NEXT: %[[FLAG:.*]] = ocl.load volatile %seen
    // CHECK-NEXT: %{{.*}} = arith.cmpi ne, %[[OLD]], %[[FLAG]] : i32
    %flag = ocl.atomic_rmw xchg %seen, %old : !ocl.ptr<i32, global>
    // An addition changes memory, but for zero.
    // CHECK:      %a = ocl.atomic_rmw add %cost, %n : !ocl.ptr<i32, global>
    %a = ocl.atomic_rmw add %cost, %n : !ocl.ptr<i32, global>
    // Memory that only this thread sees has no locks.
    // CHECK-NEXT: %b = ocl.atomic_rmw smin %l, %n : !ocl.ptr<i32, local>
    %b = ocl.atomic_rmw smin %l, %n : !ocl.ptr<i32, local>
    // CHECK-NEXT: %c = ocl.atomic_rmw smin %cost, %n {ocl.own} : !ocl.ptr<i32, global>
    %c = ocl.atomic_rmw smin %cost, %n {ocl.own} : !ocl.ptr<i32, global>
  }
  wg.return
}
