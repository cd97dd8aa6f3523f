// RUN: ocl-opt %s -p wg-local-atomics | filecheck %s

// A group runs on one thread, which alone sees its local memory. Other memory stays atomic.
wg.func @k(%s: !ocl.ptr<i32, local> {ocl.name = "s"}, %x: !ocl.ptr<i32, global> {ocl.name = "x"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %v = arith.constant 1 : i32
  wg.parallel (%i, %j, %k) in (%lx, %one, %one) {
    %old = ocl.atomic_rmw umax %s, %v : !ocl.ptr<i32, local>
    %before = ocl.atomic_rmw xchg %s, %old : !ocl.ptr<i32, local>
    %seen = ocl.atomic_cmpxchg %s, %before, %v : !ocl.ptr<i32, local>
    %n = ocl.atomic_rmw add %x, %seen : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK:           wg.parallel (%i, %j, %k) in (%lx, %one, %one) {
// CHECK-NEXT:        %old = ocl.load %s : !ocl.ptr<i32, local>
// CHECK-NEXT:        %0 = arith.maxui %old, %v : i32
// CHECK-NEXT:        ocl.store %0, %s : !ocl.ptr<i32, local>
// CHECK-NEXT:        %before = ocl.load %s : !ocl.ptr<i32, local>
// CHECK-NEXT:        ocl.store %old, %s : !ocl.ptr<i32, local>
// CHECK-NEXT:        %seen = ocl.load %s : !ocl.ptr<i32, local>
// CHECK-NEXT:        %1 = arith.cmpi eq, %seen, %before : i32
// CHECK-NEXT:        %2 = arith.select %1, %v, %seen : i32
// CHECK-NEXT:        ocl.store %2, %s : !ocl.ptr<i32, local>
// CHECK-NEXT:        %n = ocl.atomic_rmw add %x, %seen : !ocl.ptr<i32, global>
// CHECK-NEXT:      }
