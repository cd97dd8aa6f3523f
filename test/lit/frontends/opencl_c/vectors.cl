// RUN: ocl-opt %s | filecheck %s
// Literals, swizzles of values and of memory, operators, comparisons.

kernel void swizzles(global float4 *v) {
  float4 a = v[0];
  a.xy = a.zw;
  a.s3 = 1.0f;
  a = a.wzyx;
  v[1] = (float4)(a.hi, 2.0f, a.even.y);
  v[2].zx = a.lo;
  v[3].w += a.x;
}

#define FIRST(v) (v).xy
#define TWICE(v) (v).xxyy
kernel void in_macros(global float4 *v) {
  FIRST(v[0]) = FIRST(v[1]);
  v[2] = TWICE(v[3]) * 0.5f;
}

kernel void operators(global float4 *v, global int4 *m, float s) {
  int4 less = v[0] < v[1];
  m[0] = less && !m[1];
  v[2] = less ? v[0] : v[1] * s;
  m[2] = m[3] << 3;
  m[4] = -m[5] + 1;
}

kernel void three(global float3 *v) { v[0].yz = v[1].hi.x + v[2].xy; }

// CHECK-LABEL: ocl.kernel @swizzles(%v: !ocl.ptr<vector<4xf32>, global> {ocl.name = "v", ocl.type = "float4*"}) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %a = ocl.load %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %0 = vector.shuffle %a, %a [2, 3] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %a_1 = vector.shuffle %a, %0 [4, 5, 2, 3] : vector<4xf32>, vector<2xf32>
// CHECK-NEXT:     %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %a_2 = vector.insert %cst, %a_1 [3] : f32 into vector<4xf32>
// CHECK-NEXT:     %a_3 = vector.shuffle %a_2, %a_2 [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.shuffle %a_3, %a_3 [2, 3] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %cst_1 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %2 = vector.shuffle %a_3, %a_3 [0, 2] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %3 = vector.extract %2[1] : f32 from vector<2xf32>
// CHECK-NEXT:     %4 = ocl.concat %1, %cst_1, %3 : vector<2xf32>, f32, f32 -> vector<4xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %4, %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %5 = vector.shuffle %a_3, %a_3 [0, 1] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %6 = vector.extract %5[0] : f32 from vector<2xf32>
// CHECK-NEXT:     %7 = ocl.offset %v[%c2] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %8 = ocl.cast %7 : !ocl.ptr<vector<4xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %6, %8[%c2] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %9 = vector.extract %5[1] : f32 from vector<2xf32>
// CHECK-NEXT:     %10 = ocl.offset %v[%c2] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %11 = ocl.cast %10 : !ocl.ptr<vector<4xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %9, %11[%c0] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %12 = vector.extract %a_3[0] : f32 from vector<4xf32>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %13 = ocl.load %v[%c3] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %14 = vector.extract %13[3] : f32 from vector<4xf32>
// CHECK-NEXT:     %15 = arith.addf %14, %12 : f32
// CHECK-NEXT:     %16 = ocl.offset %v[%c3] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %17 = ocl.cast %16 : !ocl.ptr<vector<4xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %15, %17[%c3] : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @in_macros(%v: !ocl.ptr<vector<4xf32>, global> {ocl.name = "v", ocl.type = "float4*"}) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = ocl.load %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %1 = vector.shuffle %0, %0 [0, 1] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %2 = vector.extract %1[0] : f32 from vector<2xf32>
// CHECK-NEXT:     %3 = ocl.cast %v : !ocl.ptr<vector<4xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %2, %3[%c0] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %4 = vector.extract %1[1] : f32 from vector<2xf32>
// CHECK-NEXT:     %5 = ocl.cast %v : !ocl.ptr<vector<4xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %4, %5[%c1] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %6 = ocl.load %v[%c3] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %7 = vector.shuffle %6, %6 [0, 0, 1, 1] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %cst = arith.constant dense<5.000000e-01> : vector<4xf32>
// CHECK-NEXT:     %8 = arith.mulf %7, %cst {ocl.no_contract} : vector<4xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %8, %v[%c2] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @operators(%v: !ocl.ptr<vector<4xf32>, global> {ocl.name = "v", ocl.type = "float4*"}, %m: !ocl.ptr<vector<4xi32>, global> {ocl.name = "m", ocl.type = "int4*"}, %s: f32 {ocl.name = "s", ocl.type = "float"}) {
// CHECK-NEXT:     %0 = ocl.load %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %1 = ocl.load %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %2 = vec.cmpf olt, %0, %1 : vector<4xf32>
// CHECK-NEXT:     %3 = ocl.load %m[%c1] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %cst = arith.constant dense<0> : vector<4xi32>
// CHECK-NEXT:     %4 = vec.cmpi eq, %3, %cst : vector<4xi32>
// CHECK-NEXT:     %5 = arith.andi %2, %4 : vector<4xi1>
// CHECK-NEXT:     %6 = vec.extsi %5 : vector<4xi1> to vector<4xi32>
// CHECK-NEXT:     ocl.store %6, %m : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %7 = ocl.load %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %8 = ocl.load %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %9 = vector.broadcast %s : f32 to vector<4xf32>
// CHECK-NEXT:     %10 = arith.mulf %8, %9 {ocl.no_contract} : vector<4xf32>
// CHECK-NEXT:     %11 = vec.select %2, %7, %10 : vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %11, %v[%c2] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %12 = ocl.load %m[%c3] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %cst_1 = arith.constant dense<3> : vector<4xi32>
// CHECK-NEXT:     %13 = arith.shli %12, %cst_1 : vector<4xi32>
// CHECK-NEXT:     ocl.store %13, %m[%c2] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %14 = ocl.load %m[%c5] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %15 = arith.subi %cst, %14 : vector<4xi32>
// CHECK-NEXT:     %cst_2 = arith.constant dense<1> : vector<4xi32>
// CHECK-NEXT:     %16 = arith.addi %15, %cst_2 : vector<4xi32>
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     ocl.store %16, %m[%c4] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @three(%v: !ocl.ptr<vector<3xf32>, global> {ocl.name = "v", ocl.type = "float3*"}) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = ocl.load %v[%c1] : !ocl.ptr<vector<3xf32>, global>
// CHECK-NEXT:     %1 = vector.shuffle %0, %0 [2, 2] : vector<3xf32>, vector<3xf32>
// CHECK-NEXT:     %2 = vector.extract %1[0] : f32 from vector<2xf32>
// CHECK-NEXT:     %3 = vector.broadcast %2 : f32 to vector<2xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %4 = ocl.load %v[%c2] : !ocl.ptr<vector<3xf32>, global>
// CHECK-NEXT:     %5 = vector.shuffle %4, %4 [0, 1] : vector<3xf32>, vector<3xf32>
// CHECK-NEXT:     %6 = arith.addf %3, %5 : vector<2xf32>
// CHECK-NEXT:     %7 = vector.extract %6[0] : f32 from vector<2xf32>
// CHECK-NEXT:     %8 = ocl.cast %v : !ocl.ptr<vector<3xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %7, %8[%c1] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %9 = vector.extract %6[1] : f32 from vector<2xf32>
// CHECK-NEXT:     %10 = ocl.cast %v : !ocl.ptr<vector<3xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.store %9, %10[%c2] : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
