// RUN: ocl-opt %s -p 'poly-fix-launch{global_size=64 local_size=16 positions=1 values=8}' | filecheck %s
// RUN: ocl-opt %s -p 'poly-fix-launch{global_size=60 local_size=16 offset=4 positions=1 values=8}' | filecheck %s --check-prefix=UNEVEN
// RUN: not ocl-opt %s -p 'poly-fix-launch{global_size=64 local_size=16 positions=0 values=8}' 2>&1 | filecheck %s --check-prefix=NONE

// NONE: poly-fix-launch: kernel 'k' has no integer parameter 0

// The only query that is left is the global id; what follows from numbers is a number.

// CHECK: %[[I:.*]] = ocl.global_id 0 : index
// CHECK: %[[L:.*]] = arith.constant 16 : index
// CHECK-NEXT: %g = arith.floordivsi %[[I]], %[[L]] : index
// CHECK: %m = arith.constant 64 : i32
// CHECK: ocl.store %m, %x[%g] : !ocl.ptr<i32, global>

// With an offset, and a last group that is smaller.

// UNEVEN: %[[I:.*]] = ocl.global_id 0 : index
// UNEVEN: %[[O:.*]] = arith.constant 4 : index
// UNEVEN-NEXT: %[[P:.*]] = arith.subi %[[I]], %[[O]] : index
// UNEVEN: %g = arith.floordivsi %[[P]], %{{.*}} : index
// UNEVEN: %l = arith.minsi %{{.*}}, %{{.*}} : index
ocl.kernel @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %g = ocl.group_id 0 : index
  %l = ocl.local_size 0 : index
  %m = arith.muli %n, %n : i32
  ocl.store %m, %x[%g] : !ocl.ptr<i32, global>
  %c = arith.index_cast %l : index to i32
  ocl.store %c, %x[%g] : !ocl.ptr<i32, global>
  ocl.return
}
