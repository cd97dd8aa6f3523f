// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

ocl.kernel @barriers(%b: !ocl.ptr<i32, global> {ocl.name = "b"}) {
  // CHECK: ocl.barrier local
  ocl.barrier local
  // CHECK-NEXT: ocl.barrier global
  ocl.barrier global
  // CHECK-NEXT: ocl.barrier local global
  ocl.barrier local global
  // CHECK-NEXT: ocl.barrier
  ocl.barrier
  // CHECK-NEXT: ocl.fence acq_rel local global
  ocl.fence acq_rel local global
  // CHECK-NEXT: ocl.fence acquire local
  ocl.fence acquire local
  // CHECK-NEXT: ocl.fence release global
  ocl.fence release global
  %c = arith.constant true
  // In a loop or a branch, and in a function that a kernel calls.
  scf.if %c {
    // CHECK: ocl.barrier local
    ocl.barrier local
  }
  ocl.return
}

ocl.kernel @asynchronous_copies(%src: !ocl.ptr<f32, global> {ocl.name = "src"}, %tile: !ocl.ptr<f32, local> {ocl.name = "tile"}) {
  %v = ocl.load %src : !ocl.ptr<f32, global>
  // CHECK: ocl.store %v, %tile {ocl.async} : !ocl.ptr<f32, local>
  ocl.store %v, %tile {ocl.async} : !ocl.ptr<f32, local>
  // CHECK-NEXT: ocl.commit_copies
  ocl.commit_copies
  // CHECK-NEXT: ocl.wait_copies 1
  ocl.wait_copies 1
  ocl.return
}

func.func @with_barrier() {
  // CHECK: ocl.barrier local
  ocl.barrier local
  func.return
}

func.func @atomics(%p: !ocl.ptr<i32, global>, %q: !ocl.ptr<i64, local>, %f: !ocl.ptr<f32, generic>, %i: i32, %l: i64, %x: f32) {
  // CHECK: %0 = ocl.atomic_rmw add %p, %i : !ocl.ptr<i32, global>
  %0 = ocl.atomic_rmw add %p, %i : !ocl.ptr<i32, global>
  // CHECK-NEXT: %1 = ocl.atomic_rmw sub %q, %l : !ocl.ptr<i64, local>
  %1 = ocl.atomic_rmw sub %q, %l : !ocl.ptr<i64, local>
  // CHECK-NEXT: %2 = ocl.atomic_rmw and %p, %i : !ocl.ptr<i32, global>
  %2 = ocl.atomic_rmw and %p, %i : !ocl.ptr<i32, global>
  // CHECK-NEXT: %3 = ocl.atomic_rmw or %p, %i : !ocl.ptr<i32, global>
  %3 = ocl.atomic_rmw or %p, %i : !ocl.ptr<i32, global>
  // CHECK-NEXT: %4 = ocl.atomic_rmw xor %p, %i : !ocl.ptr<i32, global>
  %4 = ocl.atomic_rmw xor %p, %i : !ocl.ptr<i32, global>
  // CHECK-NEXT: %5 = ocl.atomic_rmw smin %p, %i : !ocl.ptr<i32, global>
  %5 = ocl.atomic_rmw smin %p, %i : !ocl.ptr<i32, global>
  // CHECK-NEXT: %6 = ocl.atomic_rmw smax %p, %i : !ocl.ptr<i32, global>
  %6 = ocl.atomic_rmw smax %p, %i : !ocl.ptr<i32, global>
  // CHECK-NEXT: %7 = ocl.atomic_rmw umin %p, %i : !ocl.ptr<i32, global>
  %7 = ocl.atomic_rmw umin %p, %i : !ocl.ptr<i32, global>
  // CHECK-NEXT: %8 = ocl.atomic_rmw umax %p, %i : !ocl.ptr<i32, global>
  %8 = ocl.atomic_rmw umax %p, %i : !ocl.ptr<i32, global>
  // CHECK-NEXT: %9 = ocl.atomic_rmw xchg %f, %x : !ocl.ptr<f32, generic>
  %9 = ocl.atomic_rmw xchg %f, %x : !ocl.ptr<f32, generic>
  // CHECK-NEXT: %10 = ocl.atomic_rmw fadd %f, %x : !ocl.ptr<f32, generic>
  %10 = ocl.atomic_rmw fadd %f, %x : !ocl.ptr<f32, generic>
  // CHECK-NEXT: %11 = ocl.atomic_cmpxchg %p, %i, %i : !ocl.ptr<i32, global>
  %11 = ocl.atomic_cmpxchg %p, %i, %i : !ocl.ptr<i32, global>
  func.return
}

func.func @copies(%d: !ocl.ptr<f32, local>, %s: !ocl.ptr<f32, global>, %n: index) {
  // CHECK: %0 = ocl.null_event
  %0 = ocl.null_event
  // CHECK-NEXT: %1 = ocl.async_copy %d, %s, %n, %0 : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
  %1 = ocl.async_copy %d, %s, %n, %0 : !ocl.ptr<f32, local>, !ocl.ptr<f32, global>
  // CHECK-NEXT: %2 = ocl.async_copy %s, %d, %n, %1 stride %n : !ocl.ptr<f32, global>, !ocl.ptr<f32, local>
  %2 = ocl.async_copy %s, %d, %n, %1 stride %n : !ocl.ptr<f32, global>, !ocl.ptr<f32, local>
  // CHECK-NEXT: %3 = ocl.alloca : !ocl.ptr<!ocl.event, private>
  %3 = ocl.alloca : !ocl.ptr<!ocl.event, private>
  ocl.store %2, %3 : !ocl.ptr<!ocl.event, private>
  // CHECK: ocl.wait_events %n, %3 : !ocl.ptr<!ocl.event, private>
  ocl.wait_events %n, %3 : !ocl.ptr<!ocl.event, private>
  func.return
}

func.func @print(%i: i32, %v: vector<4xf32>, %p: !ocl.ptr<f32, global>) {
  // CHECK: %0 = ocl.printf "hello\0A"() : () -> i32
  %0 = ocl.printf "hello\n"() : () -> i32
  // CHECK-NEXT: %1 = ocl.printf "%d \22%v4hlf\22 %p\0A"(%i, %v, %p) : (i32, vector<4xf32>, !ocl.ptr<f32, global>) -> i32
  %1 = ocl.printf "%d \"%v4hlf\" %p\n"(%i, %v, %p) : (i32, vector<4xf32>, !ocl.ptr<f32, global>) -> i32
  func.return
}
