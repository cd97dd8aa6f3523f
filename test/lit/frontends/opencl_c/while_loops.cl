// RUN: ocl-opt %s | filecheck %s
// All other loops are scf.while; the body of a do loop stands once, before its condition.

kernel void halving(local int *t, uint n) {
  for (uint s = n; s > 0; s >>= 1) {
    t[s] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void endless(global float *x, int n) {
  for (int i = 0;; i++) {
    if (i >= n) break;
    x[i] = 0;
  }
}

kernel void until(global int *x, int n) {
  do {
    n = x[n];
    barrier(CLK_GLOBAL_MEM_FENCE);
  } while (n > 0);
}

kernel void effects_in_condition(global int *x) {
  int i = 0, v;
  while ((v = x[i++]) != 0)
    x[0] += v;
}

kernel void bound_in_memory(global int *x) {
  for (int i = 0; i < x[0]; i++)
    x[i] = 0;
}

// CHECK-LABEL: ocl.kernel @halving(%t: !ocl.ptr<i32, local> {ocl.name = "t", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "uint"}) attributes {ocl.unsigned = ["s"]} {
// CHECK-NEXT:     %s = scf.while (%s_1 = %n) : (i32) -> i32 {
// CHECK-NEXT:       %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:       %0 = arith.cmpi ugt, %s_1, %c0_i32 : i32
// CHECK-NEXT:       scf.condition(%0) %s_1 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%s_2: i32):
// CHECK-NEXT:       %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:       %1 = arith.extui %s_2 : i32 to i64
// CHECK-NEXT:       %2 = arith.index_cast %1 : i64 to index
// CHECK-NEXT:       ocl.store %c0_i32_1, %t[%2] : !ocl.ptr<i32, local>
// CHECK-NEXT:       ocl.barrier local
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %s_3 = arith.shrui %s_2, %c1_i32 : i32
// CHECK-NEXT:       scf.yield %s_3 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @endless(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}, %n: i32 {ocl.name = "n"
// CHECK:          scf.for %i = %{{.*}} to %{{.*}} step
// CHECK-NOT:      scf.while
// CHECK:          ocl.return

// CHECK-LABEL: ocl.kernel @until(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %n_1 = scf.while (%n_2 = %n) : (i32) -> i32 {
// CHECK-NEXT:       %0 = arith.index_cast %n_2 : i32 to index
// CHECK-NEXT:       %n_3 = ocl.load %x[%0] : !ocl.ptr<i32, global>
// CHECK-NEXT:       ocl.barrier global
// CHECK-NEXT:       %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:       %1 = arith.cmpi sgt, %n_3, %c0_i32 : i32
// CHECK-NEXT:       scf.condition(%1) %n_3 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%n_4: i32):
// CHECK-NEXT:       scf.yield %n_4 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @effects_in_condition(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %0 = ub.poison : i32
// CHECK-NEXT:     %i, %v = scf.while (%i_1 = %c0_i32, %v_1 = %0) : (i32, i32) -> (i32, i32) {
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %i_2 = arith.addi %i_1, %c1_i32 : i32
// CHECK-NEXT:       %1 = arith.index_cast %i_1 : i32 to index
// CHECK-NEXT:       %v_2 = ocl.load %x[%1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:       %2 = arith.cmpi ne, %v_2, %c0_i32_1 : i32
// CHECK-NEXT:       scf.condition(%2) %i_2, %v_2 : i32, i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%i_3: i32, %v_3: i32):
// CHECK-NEXT:       %3 = ocl.load %x : !ocl.ptr<i32, global>
// CHECK-NEXT:       %4 = arith.addi %3, %v_3 : i32
// CHECK-NEXT:       ocl.store %4, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:       scf.yield %i_3, %v_3 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @bound_in_memory(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %i = scf.while (%i_1 = %c0_i32) : (i32) -> i32 {
// CHECK-NEXT:       %0 = ocl.load %x : !ocl.ptr<i32, global>
// CHECK-NEXT:       %1 = arith.cmpi slt, %i_1, %0 : i32
// CHECK-NEXT:       scf.condition(%1) %i_1 : i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%i_2: i32):
// CHECK-NEXT:       %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:       %2 = arith.index_cast %i_2 : i32 to index
// CHECK-NEXT:       ocl.store %c0_i32_1, %x[%2] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:       %i_3 = arith.addi %i_2, %c1_i32 : i32
// CHECK-NEXT:       scf.yield %i_3 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
