// RUN: ocl-opt %s -p ocl-own-atomics | filecheck %s
// RUN: ocl-opt %s -p ocl-own-atomics,ocl-to-wg,wg-local-atomics | filecheck %s --check-prefix=PLAIN
// RUN: ocl-opt %s -p ocl-to-wg,wg-local-atomics | filecheck %s --check-prefix=SHARED

// The device cpu runs this pass where it has one thread: nobody sees memory while a launch runs.
kernel void count(global uint *sum, global uint *flags) {
  atomic_inc(sum);
  atomic_cmpxchg(&flags[0], 0, 1);
}

// CHECK:      ocl.atomic_rmw add %{{.*}}, %{{.*}} {ocl.own}
// CHECK:      ocl.atomic_cmpxchg %{{.*}}, %{{.*}}, %{{.*}} {ocl.own}

// PLAIN-NOT:  ocl.atomic
// PLAIN:      %[[OLD:.*]] = ocl.load %sum : !ocl.ptr<i32, global>
// PLAIN-NEXT: %[[NEW:.*]] = arith.addi %[[OLD]], %{{.*}} : i32
// PLAIN-NEXT: ocl.store %[[NEW]], %sum : !ocl.ptr<i32, global>
// PLAIN-NOT:  ocl.atomic

// SHARED:     ocl.atomic_rmw add
// SHARED:     ocl.atomic_cmpxchg
