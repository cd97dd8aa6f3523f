// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// Each literal has exactly the value and the type of the constant.
ocl.constant @table : !ocl.array<3 x f32> = [0.1 : f32, 0x7F800000 : f32, -0.0 : f32]
ocl.constant @text : !ocl.array<4 x i8> = [97 : i8, 34 : i8, 10 : i8, 0 : i8]
ocl.kernel @f(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}, %d: !ocl.ptr<f64, global> {ocl.name = "d", ocl.type = "double*"}, %l: !ocl.ptr<i64, global> {ocl.name = "l", ocl.type = "long*"}, %u: !ocl.ptr<i32, global> {ocl.name = "u", ocl.type = "uint*"}, %v: !ocl.ptr<vector<4xi32>, global> {ocl.name = "v", ocl.type = "int4*"}) {
  %0 = arith.constant 1.0e-45 : f32
  ocl.store %0, %x : !ocl.ptr<f32, global>
  %1 = arith.constant 16777216.0 : f32
  ocl.store %1, %x : !ocl.ptr<f32, global>
  %2 = arith.constant 0x7FC00000 : f32
  ocl.store %2, %x : !ocl.ptr<f32, global>
  %3 = arith.constant 0.1 : f64
  ocl.store %3, %d : !ocl.ptr<f64, global>
  %4 = arith.constant -9223372036854775808 : i64
  ocl.store %4, %l : !ocl.ptr<i64, global>
  %5 = arith.constant -1 : i32
  ocl.store %5, %u : !ocl.ptr<i32, global>
  %6 = arith.constant dense<[1, -2, 3, -2147483648]> : vector<4xi32>
  ocl.store %6, %v : !ocl.ptr<vector<4xi32>, global>
  %t = ocl.address_of @table : !ocl.ptr<!ocl.array<3 x f32>, constant>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<3 x f32>, constant> to !ocl.ptr<f32, constant>
  %c2 = arith.constant 2 : index
  %7 = ocl.load %p[%c2] : !ocl.ptr<f32, constant>
  ocl.store %7, %x : !ocl.ptr<f32, global>
  ocl.return
}

//      CHECK:#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// CHECK-EMPTY:
// CHECK-NEXT:constant float table[3] = {0.1f, INFINITY, -0.0f};  // constants.mlir:3
// CHECK-NEXT:constant char text[4] = "a\"\n";  // constants.mlir:4
// CHECK-EMPTY:
// CHECK-NEXT:kernel void f(global float *x, global double *d, global long *l, global uint *u,  // constants.mlir:5
// CHECK-NEXT:    global int4 *v) {
// CHECK-NEXT:  *x = 1e-45f;  // constants.mlir:7
// CHECK-NEXT:  *x = 1.6777216e7f;  // constants.mlir:9
// CHECK-NEXT:  *x = as_float(0x7fc00000u);  // constants.mlir:11
// CHECK-NEXT:  *d = 0.1;  // constants.mlir:13
// CHECK-NEXT:  *l = LONG_MIN;  // constants.mlir:15
// CHECK-NEXT:  *u = 0xffffffffu;  // constants.mlir:17
// CHECK-NEXT:  *v = (int4)(1, -2, 3, INT_MIN);  // constants.mlir:19
// CHECK-NEXT:  constant float *p = table;  // constants.mlir:21
// CHECK-NEXT:  *x = p[2];  // constants.mlir:24
// CHECK-NEXT:}
