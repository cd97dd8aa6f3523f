// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines

// A table is an array of constants, which a function for its type reads; equal tables share it.
ocl.kernel @f(%i: i32 {ocl.name = "i", ocl.type = "uint"}, %j: vector<3xi32> {ocl.name = "j", ocl.type = "int3"}, %x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}, %y: !ocl.ptr<vector<3xf32>, global> {ocl.name = "y", ocl.type = "float3*"}) {
  %0 = vec.lookup %i in array<f32: 1.0, 0.5> : i32 to f32
  ocl.store %0, %x : !ocl.ptr<f32, global>
  %1 = vec.lookup %i in array<f32: 1.0, 2.0, 3.0, -4.0> : i32 to f32
  ocl.store %1, %x : !ocl.ptr<f32, global>
  %2 = vec.lookup %i in array<f32: 1.0, 0.5> : i32 to f32
  ocl.store %2, %x : !ocl.ptr<f32, global>
  %3 = vec.lookup %j in array<f32: 1.0, 0.5> : vector<3xi32> to vector<3xf32>
  ocl.store %3, %y : !ocl.ptr<vector<3xf32>, global>
  ocl.return
}

//      CHECK:constant float lookup_float_1_table[2] = {1.0f, 0.5f};
// CHECK-NEXT:float lookup_float_1(int i) {
// CHECK-NEXT:  return lookup_float_1_table[i & 1];
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:constant float lookup_float_2_table[4] = {1.0f, 2.0f, 3.0f, -4.0f};
// CHECK-NEXT:float lookup_float_2(int i) {
// CHECK-NEXT:  return lookup_float_2_table[i & 3];
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:constant float lookup_float3_1_table[2] = {1.0f, 0.5f};
// CHECK-NEXT:float3 lookup_float3_1(int3 i) {
// CHECK-NEXT:  return (float3)(lookup_float3_1_table[i.x & 1], lookup_float3_1_table[i.y & 1], lookup_float3_1_table[i.z & 1]);
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:kernel void f(uint i, int3 j, global float *x, global float3 *y) {  // lookups.mlir:4
// CHECK-NEXT:  *x = lookup_float_1((int)i);  // lookups.mlir:6
// CHECK-NEXT:  *x = lookup_float_2((int)i);  // lookups.mlir:8
// CHECK-NEXT:  *x = lookup_float_1((int)i);  // lookups.mlir:10
// CHECK-NEXT:  *y = lookup_float3_1(j);  // lookups.mlir:12
// CHECK-NEXT:}
