// RUN: ocl-opt %s | filecheck %s
// Relational builtins, select, any, all and shuffle.

kernel void scalars(global int *x, float a, float b) {
  if (isnan(a) || isless(a, b))
    x[0] = isfinite(a) + signbit(b);
  x[1] = select(1, 2, x[2]);
  x[3] = any(x[4]) + bitselect(1, 2, 3);
}

kernel void vectors(global int4 *x, global float4 *v, global uint4 *m) {
  x[0] = isequal(v[0], v[1]) | isinf(v[2]);
  v[3] = select(v[0], v[1], x[1]);
  x[2] = all(x[3]);
  v[4] = shuffle(v[5], m[0]);
  v[6] = shuffle2(v[7].xy, v[8].xy, m[1]);
}

// CHECK-LABEL: ocl.kernel @scalars(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %a: f32 {ocl.name = "a", ocl.type = "float"}, %b: f32 {ocl.name = "b", ocl.type = "float"}) {
// CHECK-NEXT:     %0 = arith.cmpf uno, %a, %a : f32
// CHECK-NEXT:     %1 = scf.if %0 -> (i1) {
// CHECK-NEXT:       %true = arith.constant true
// CHECK-NEXT:       scf.yield %true : i1
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %2 = arith.cmpf olt, %a, %b : f32
// CHECK-NEXT:       scf.yield %2 : i1
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.if %1 {
// CHECK-NEXT:       %3 = ocl.builtin "isfinite"(%a) : (f32) -> i1
// CHECK-NEXT:       %4 = arith.extui %3 : i1 to i32
// CHECK-NEXT:       %5 = ocl.builtin "signbit"(%b) : (f32) -> i1
// CHECK-NEXT:       %6 = arith.extui %5 : i1 to i32
// CHECK-NEXT:       %7 = arith.addi %4, %6 : i32
// CHECK-NEXT:       ocl.store %7, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %8 = ocl.load %x[%c2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %9 = arith.cmpi ne, %8, %c0_i32 : i32
// CHECK-NEXT:     %10 = arith.select %9, %c2_i32, %c1_i32 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %10, %x[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %11 = ocl.load %x[%c4] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %12 = ocl.builtin "any"(%11) : (i32) -> i1
// CHECK-NEXT:     %13 = arith.extui %12 : i1 to i32
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %14 = ocl.builtin "bitselect"(%c1_i32, %c2_i32, %c3_i32) : (i32, i32, i32) -> i32
// CHECK-NEXT:     %15 = arith.addi %13, %14 : i32
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     ocl.store %15, %x[%c3] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @vectors(%x: !ocl.ptr<vector<4xi32>, global> {ocl.name = "x", ocl.type = "int4*"}, %v: !ocl.ptr<vector<4xf32>, global> {ocl.name = "v", ocl.type = "float4*"}, %m: !ocl.ptr<vector<4xi32>, global> {ocl.name = "m", ocl.type = "uint4*"}) {
// CHECK-NEXT:     %0 = ocl.load %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %1 = ocl.load %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %2 = vec.cmpf oeq, %0, %1 : vector<4xf32>
// CHECK-NEXT:     %3 = vec.extsi %2 : vector<4xi1> to vector<4xi32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %4 = ocl.load %v[%c2] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %5 = ocl.builtin "isinf"(%4) : (vector<4xf32>) -> vector<4xi1>
// CHECK-NEXT:     %6 = vec.extsi %5 : vector<4xi1> to vector<4xi32>
// CHECK-NEXT:     %7 = arith.ori %3, %6 : vector<4xi32>
// CHECK-NEXT:     ocl.store %7, %x : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %8 = ocl.load %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %9 = ocl.load %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %10 = ocl.load %x[%c1] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %cst = arith.constant dense<0> : vector<4xi32>
// CHECK-NEXT:     %11 = vec.cmpi slt, %10, %cst : vector<4xi32>
// CHECK-NEXT:     %12 = vec.select %11, %9, %8 : vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     ocl.store %12, %v[%c3] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %13 = ocl.load %x[%c3] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %14 = ocl.builtin "all"(%13) : (vector<4xi32>) -> i1
// CHECK-NEXT:     %15 = arith.extui %14 : i1 to i32
// CHECK-NEXT:     %16 = vector.broadcast %15 : i32 to vector<4xi32>
// CHECK-NEXT:     ocl.store %16, %x[%c2] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %17 = ocl.load %v[%c5] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %18 = ocl.load %m : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %19 = ocl.shuffle %17, %18 : vector<4xf32>, vector<4xi32> -> vector<4xf32>
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     ocl.store %19, %v[%c4] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %c7 = arith.constant 7 : index
// CHECK-NEXT:     %20 = ocl.load %v[%c7] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %21 = vector.shuffle %20, %20 [0, 1] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %22 = ocl.load %v[%c8] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %23 = vector.shuffle %22, %22 [0, 1] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %24 = ocl.load %m[%c1] : !ocl.ptr<vector<4xi32>, global>
// CHECK-NEXT:     %25 = ocl.shuffle2 %21, %23, %24 : vector<2xf32>, vector<4xi32> -> vector<4xf32>
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     ocl.store %25, %v[%c6] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
