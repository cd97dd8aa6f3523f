// RUN: ocl-opt %s | filecheck %s
// Conversions, short circuits, shifts and increments.

kernel void conditions(global int *x, int a, int b) {
  if (a < b && a != 0)
    x[0] = a < b;
  if (x[1] && x[2])
    x[3] = a < b ? a : b;
  x[4] = a ? x[5] : b;
  x[6] = !a;
}

kernel void shifts(global uint *x, int by) {
  x[0] = x[1] << by;
  x[2] = (int)x[2] >> 3;
  x[3] = 1u << 35;
}

kernel void integers(global char *c, global ushort *s, ulong l) {
  c[0] += 1;
  s[0] = c[0]++;
  s[1] = s[2] / s[3];
  c[1] = -l % 10;
}

kernel void floats(global float *f, global double *d, global half *h, uint u) {
  f[0] = f[1] * 0.1f + u;
  d[0] = f[2] / 3;
  h[0] = d[1];
  u = f[3];
  f[4] = (int)u;
  bool b = f[5];
  f[6] = b;
}

// CHECK-LABEL: ocl.kernel @conditions(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %a: i32 {ocl.name = "a", ocl.type = "int"}, %b: i32 {ocl.name = "b", ocl.type = "int"}) {
// CHECK-NEXT:     %0 = arith.cmpi slt, %a, %b : i32
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %1 = arith.cmpi ne, %a, %c0_i32 : i32
// CHECK-NEXT:     %2 = arith.andi %0, %1 : i1
// CHECK-NEXT:     scf.if %2 {
// CHECK-NEXT:       %3 = arith.cmpi slt, %a, %b : i32
// CHECK-NEXT:       %4 = arith.extui %3 : i1 to i32
// CHECK-NEXT:       ocl.store %4, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %5 = ocl.load %x[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %6 = arith.cmpi ne, %5, %c0_i32 : i32
// CHECK-NEXT:     %7 = scf.if %6 -> (i1) {
// CHECK-NEXT:       %c2 = arith.constant 2 : index
// CHECK-NEXT:       %8 = ocl.load %x[%c2] : !ocl.ptr<i32, global>
// CHECK-NEXT:       %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:       %9 = arith.cmpi ne, %8, %c0_i32_1 : i32
// CHECK-NEXT:       scf.yield %9 : i1
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %false = arith.constant false
// CHECK-NEXT:       scf.yield %false : i1
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.if %7 {
// CHECK-NEXT:       %10 = arith.cmpi slt, %a, %b : i32
// CHECK-NEXT:       %11 = arith.select %10, %a, %b : i32
// CHECK-NEXT:       %c3 = arith.constant 3 : index
// CHECK-NEXT:       ocl.store %11, %x[%c3] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     %12 = arith.cmpi ne, %a, %c0_i32 : i32
// CHECK-NEXT:     %13 = scf.if %12 -> (i32) {
// CHECK-NEXT:       %c5 = arith.constant 5 : index
// CHECK-NEXT:       %14 = ocl.load %x[%c5] : !ocl.ptr<i32, global>
// CHECK-NEXT:       scf.yield %14 : i32
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %b : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     ocl.store %13, %x[%c4] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %15 = arith.cmpi eq, %a, %c0_i32 : i32
// CHECK-NEXT:     %16 = arith.extui %15 : i1 to i32
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     ocl.store %16, %x[%c6] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @shifts(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "uint*"}, %by: i32 {ocl.name = "by", ocl.type = "int"}) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = ocl.load %x[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c31_i32 = arith.constant 31 : i32
// CHECK-NEXT:     %1 = arith.andi %by, %c31_i32 : i32
// CHECK-NEXT:     %2 = arith.shli %0, %1 : i32
// CHECK-NEXT:     ocl.store %2, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %3 = ocl.load %x[%c2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %4 = arith.extui %3 : i32 to i64
// CHECK-NEXT:     %5 = arith.trunci %4 : i64 to i32
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %6 = arith.shrsi %5, %c3_i32 : i32
// CHECK-NEXT:     ocl.store %6, %x[%c2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c8_i32 = arith.constant 8 : i32
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     ocl.store %c8_i32, %x[%c3] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @integers(%c: !ocl.ptr<i8, global> {ocl.name = "c", ocl.type = "char*"}, %s: !ocl.ptr<i16, global> {ocl.name = "s", ocl.type = "ushort*"}, %l: i64 {ocl.name = "l", ocl.type = "ulong"}) {
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = ocl.load %c : !ocl.ptr<i8, global>
// CHECK-NEXT:     %1 = arith.extsi %0 : i8 to i32
// CHECK-NEXT:     %2 = arith.addi %1, %c1_i32 : i32
// CHECK-NEXT:     %3 = arith.trunci %2 : i32 to i8
// CHECK-NEXT:     ocl.store %3, %c : !ocl.ptr<i8, global>
// CHECK-NEXT:     %4 = ocl.load %c : !ocl.ptr<i8, global>
// CHECK-NEXT:     %c1_i8 = arith.constant 1 : i8
// CHECK-NEXT:     %5 = arith.addi %4, %c1_i8 : i8
// CHECK-NEXT:     ocl.store %5, %c : !ocl.ptr<i8, global>
// CHECK-NEXT:     %6 = arith.extsi %4 : i8 to i16
// CHECK-NEXT:     ocl.store %6, %s : !ocl.ptr<i16, global>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %7 = ocl.load %s[%c2] : !ocl.ptr<i16, global>
// CHECK-NEXT:     %8 = arith.extui %7 : i16 to i32
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %9 = ocl.load %s[%c3] : !ocl.ptr<i16, global>
// CHECK-NEXT:     %10 = arith.extui %9 : i16 to i32
// CHECK-NEXT:     %11 = arith.divsi %8, %10 : i32
// CHECK-NEXT:     %12 = arith.trunci %11 : i32 to i16
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %12, %s[%c1] : !ocl.ptr<i16, global>
// CHECK-NEXT:     %c0_i64 = arith.constant 0 : i64
// CHECK-NEXT:     %13 = arith.subi %c0_i64, %l : i64
// CHECK-NEXT:     %c10_i64 = arith.constant 10 : i64
// CHECK-NEXT:     %14 = arith.remui %13, %c10_i64 : i64
// CHECK-NEXT:     %15 = arith.trunci %14 : i64 to i8
// CHECK-NEXT:     ocl.store %15, %c[%c1] : !ocl.ptr<i8, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @floats(%f: !ocl.ptr<f32, global> {ocl.name = "f", ocl.type = "float*"}, %d: !ocl.ptr<f64, global> {ocl.name = "d", ocl.type = "double*"}, %h: !ocl.ptr<f16, global> {ocl.name = "h", ocl.type = "half*"}, %u: i32 {ocl.name = "u", ocl.type = "uint"}) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = ocl.load %f[%c1] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %cst = arith.constant 1.000000e-01 : f32
// CHECK-NEXT:     %1 = arith.mulf %0, %cst : f32
// CHECK-NEXT:     %2 = arith.uitofp %u : i32 to f32
// CHECK-NEXT:     %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:     ocl.store %3, %f : !ocl.ptr<f32, global>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %4 = ocl.load %f[%c2] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %cst_1 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:     %5 = arith.divf %4, %cst_1 : f32
// CHECK-NEXT:     %6 = arith.extf %5 : f32 to f64
// CHECK-NEXT:     ocl.store %6, %d : !ocl.ptr<f64, global>
// CHECK-NEXT:     %7 = ocl.load %d[%c1] : !ocl.ptr<f64, global>
// CHECK-NEXT:     %8 = arith.truncf %7 : f64 to f16
// CHECK-NEXT:     ocl.store %8, %h : !ocl.ptr<f16, global>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %9 = ocl.load %f[%c3] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %u_1 = arith.fptoui %9 : f32 to i32
// CHECK-NEXT:     %10 = arith.sitofp %u_1 : i32 to f32
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     ocl.store %10, %f[%c4] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %11 = ocl.load %f[%c5] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %cst_2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %b = arith.cmpf une, %11, %cst_2 : f32
// CHECK-NEXT:     %12 = arith.uitofp %b : i1 to f32
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     ocl.store %12, %f[%c6] : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
