// RUN: ocl-opt %s | filecheck %s
// Atomics under both names, barriers and fences.

kernel void atomics(global int *i, local uint *u, volatile global float *f, global long *l) {
  atomic_add(i, 1);
  i[1] = atomic_inc(i) + atom_sub(i, 2);
  atomic_min(i, 3);
  u[0] = atomic_max(u, 3u) + atomic_dec(u);
  f[0] = atomic_xchg(f, 2.0f);
  atom_add(l, 5L);
  i[2] = atomic_cmpxchg(i, 1, 2);
}

kernel void fences(cl_mem_fence_flags flags) {
  barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  barrier(flags);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  read_mem_fence(CLK_LOCAL_MEM_FENCE);
  write_mem_fence(CLK_LOCAL_MEM_FENCE);
}

// CHECK-LABEL: ocl.kernel @atomics(%i: !ocl.ptr<i32, global> {ocl.name = "i", ocl.type = "int*"}, %u: !ocl.ptr<i32, local> {ocl.name = "u", ocl.type = "uint*"}, %f: !ocl.ptr<f32, global> {ocl.name = "f", ocl.type = "float*", ocl.volatile}, %l: !ocl.ptr<i64, global> {ocl.name = "l", ocl.type = "long*"}) {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = ocl.atomic_rmw add %i, %c1_i32 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %1 = ocl.atomic_rmw add %i, %c1_i32 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %2 = ocl.atomic_rmw sub %i, %c2_i32 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %3 = arith.addi %1, %2 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %3, %i[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %4 = ocl.atomic_rmw smin %i, %c3_i32 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %5 = ocl.atomic_rmw umax %u, %c3_i32 : !ocl.ptr<i32, local>
// CHECK-NEXT:     %6 = ocl.atomic_rmw sub %u, %c1_i32 : !ocl.ptr<i32, local>
// CHECK-NEXT:     %7 = arith.addi %5, %6 : i32
// CHECK-NEXT:     ocl.store %7, %u : !ocl.ptr<i32, local>
// CHECK-NEXT:     %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %8 = ocl.atomic_rmw xchg %f, %cst : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store volatile %8, %f : !ocl.ptr<f32, global>
// CHECK-NEXT:     %c5_i64 = arith.constant 5 : i64
// CHECK-NEXT:     %9 = ocl.atomic_rmw add %l, %c5_i64 : !ocl.ptr<i64, global>
// CHECK-NEXT:     %10 = ocl.atomic_cmpxchg %i, %c1_i32, %c2_i32 : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %10, %i[%c2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @fences(%flags: i32 {ocl.name = "flags", ocl.type = "uint"}) {
// CHECK-NEXT:     ocl.barrier local
// CHECK-NEXT:     ocl.barrier local global
// CHECK-NEXT:     ocl.barrier local global
// CHECK-NEXT:     ocl.fence acq_rel global
// CHECK-NEXT:     ocl.fence acquire local
// CHECK-NEXT:     ocl.fence release local
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
