// RUN: ocl-opt %s -g | filecheck %s
// RUN: ocl-opt %s | filecheck %s --check-prefix=NONE
// RUN: ocl-opt %s -gline-tables-only | filecheck %s --check-prefix=LINES

// With -g each variable has private memory with its present value: volatile stores, which no pass
// removes. A parameter has its position, a variable in memory its address.

// NONE-NOT: ocl.variable
// NONE-NOT: ocl.debug_folder
// LINES: builtin.module attributes {ocl.debug_folder = "{{.*}}"} {
// LINES-NOT: ocl.variable

// CHECK: builtin.module attributes {ocl.debug_folder = "{{.*}}", ocl.debug_build} {
// CHECK: ocl.kernel @k(%x:
// CHECK-DAG: %x_1 = ocl.alloca {ocl.variable = {name = "x", scope = [25 : i32, 1 : i32, 35 : i32, 2 : i32], argument = 1 : i32, unsigned = [""]}} : !ocl.ptr<!ocl.ptr<i32, global>, private>
// CHECK-DAG: ocl.alloca {ocl.variable = {name = "keep", scope = [25 : i32, 31 : i32, 35 : i32, 2 : i32], address}} : !ocl.ptr<!ocl.ptr<!ocl.array<2 x i32>, private>, private>
// CHECK-DAG: [[OUTER:%i\S*]] = ocl.alloca {ocl.variable = {name = "i", scope = [25 : i32, 31 : i32, 35 : i32, 2 : i32]}} : !ocl.ptr<i32, private>
// CHECK-DAG: [[INNER:%i\S*]] = ocl.alloca {ocl.variable = {name = "i", scope = [30 : i32, 3 : i32, 34 : i32, 4 : i32]}} : !ocl.ptr<i32, private>
// CHECK-DAG: %global_id = ocl.alloca {ocl.variable = {name = "global_id", scope = [25 : i32, 1 : i32, 35 : i32, 2 : i32], unsigned = [""]}} : !ocl.ptr<!ocl.array<3 x i64>, private>
// CHECK:     ocl.store volatile %x, %x_1
// CHECK:     ocl.store volatile {{.*}}, [[OUTER]] : !ocl.ptr<i32, private>
// CHECK:     ocl.barrier
// CHECK:     ocl.store volatile {{.*}}, [[OUTER]] : !ocl.ptr<i32, private>
// CHECK:     ocl.store volatile {{.*}}, [[INNER]] : !ocl.ptr<i32, private>
kernel void k(global uint *x) {
  int keep[2];
  int i = get_local_id(0);
  keep[i & 1] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    // Another variable of the same name.
    int i = x[0] + 1;
    x[i] = keep[i & 1];
  }
}
