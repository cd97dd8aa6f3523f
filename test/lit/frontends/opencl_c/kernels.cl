// RUN: ocl-opt %s | filecheck %s
// Parameters, attributes, an early return, and casts of ids that disappear.

kernel void saxpy(global const float *restrict x, global float *y, const float a, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  y[i] = a * x[i] + y[i];
}

typedef struct {
  float4 pos;
  int id;
} body_t;

__attribute__((reqd_work_group_size(8, 8, 1))) __attribute__((work_group_size_hint(4, 4, 1)))
kernel void attributes(body_t by_value, constant float4 *table, local uchar *scratch,
                       volatile global int *flag, uchar b) {
  flag[0] = by_value.id + b;
}

// CHECK-LABEL: ocl.kernel @saxpy(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*", ocl.const, ocl.restrict}, %y: !ocl.ptr<f32, global> {ocl.name = "y", ocl.type = "float*"}, %a: f32 {ocl.name = "a", ocl.type = "float"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) {
// CHECK-NEXT:     %0 = ocl.global_id 0 : index
// CHECK-NEXT:     %i = arith.index_cast %0 : index to i32
// CHECK-NEXT:     %1 = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:     scf.if %1 {
// CHECK-NEXT:       %2 = ocl.load %x[%0] : !ocl.ptr<f32, global>
// CHECK-NEXT:       %3 = arith.mulf %a, %2 : f32
// CHECK-NEXT:       %4 = ocl.load %y[%0] : !ocl.ptr<f32, global>
// CHECK-NEXT:       %5 = arith.addf %3, %4 : f32
// CHECK-NEXT:       ocl.store %5, %y[%0] : !ocl.ptr<f32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @attributes(%by_value: !ocl.struct<"body_t", {pos: vector<4xf32>, id: i32}> {ocl.name = "by_value", ocl.type = "body_t"}, %table: !ocl.ptr<vector<4xf32>, constant> {ocl.name = "table", ocl.type = "float4*"}, %scratch: !ocl.ptr<i8, local> {ocl.name = "scratch", ocl.type = "uchar*"}, %flag: !ocl.ptr<i32, global> {ocl.name = "flag", ocl.type = "int*", ocl.volatile}, %b: i8 {ocl.name = "b", ocl.type = "uchar"}) attributes {reqd_work_group_size = array<i64: 8, 8, 1>, work_group_size_hint = array<i64: 4, 4, 1>} {
// CHECK-NEXT:     %0 = ocl.extract %by_value["id"] : !ocl.struct<"body_t", {pos: vector<4xf32>, id: i32}> -> i32
// CHECK-NEXT:     %1 = arith.extui %b : i8 to i32
// CHECK-NEXT:     %2 = arith.addi %0, %1 : i32
// CHECK-NEXT:     ocl.store volatile %2, %flag : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
