// RUN: ocl-opt %s | filecheck %s
// Builtins are arith and math operations where those exist, else ocl.builtin.

kernel void floats(global float *x, float a, float b) {
  x[0] = sqrt(a) + fabs(b) + sin(a) + rint(b);
  x[1] = fma(a, b, a) + mad(a, b, a) + pow(a, b);
  x[2] = min(a, b) + fmax(a, b) + clamp(a, 0.0f, 1.0f);
  x[3] = native_rsqrt(a) + half_cos(b) + smoothstep(0.0f, 1.0f, a);
  float whole;
  x[4] = modf(a, &whole) + whole;
  int exponent;
  x[5] = ldexp(frexp(a, &exponent), 2) + exponent;
  x[6] = nan(1u);
}

kernel void vectors(global float4 *v, global float *x) {
  v[0] = max(v[1], 0.5f) + mix(v[2], v[3], 0.25f);
  x[0] = dot(v[0], v[1]) + length(v[2]) + distance(v[0], v[1]);
  v[4] = normalize(v[5]) + ldexp(v[6], 3);
}

kernel void integers(global int *x, global uint *u, int a, uint b) {
  x[0] = min(a, 3) + clz(a) + popcount(a) + mad24(a, a, a);
  u[0] = max(b, 3u) + abs(a) + abs(b) + mul_hi(b, b);
  x[1] = rotate(a, 3) + add_sat(a, a) + hadd(a, a);
  u[1] = abs_diff(a, 3) + add_sat(b, b) + upsample((ushort)b, (ushort)a);
}

// CHECK-LABEL: ocl.kernel @floats(%x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}, %a: f32 {ocl.name = "a", ocl.type = "float"}, %b: f32 {ocl.name = "b", ocl.type = "float"}) {
// CHECK-NEXT:     %whole = ocl.alloca : !ocl.ptr<f32, private>
// CHECK-NEXT:     %exponent = ocl.alloca : !ocl.ptr<i32, private>
// CHECK-NEXT:     %0 = math.sqrt %a : f32
// CHECK-NEXT:     %1 = math.absf %b : f32
// CHECK-NEXT:     %2 = arith.addf %0, %1 : f32
// CHECK-NEXT:     %3 = math.sin %a : f32
// CHECK-NEXT:     %4 = arith.addf %2, %3 : f32
// CHECK-NEXT:     %5 = math.roundeven %b : f32
// CHECK-NEXT:     %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:     ocl.store %6, %x : !ocl.ptr<f32, global>
// CHECK-NEXT:     %7 = math.fma %a, %b, %a : f32
// CHECK-NEXT:     %8 = ocl.builtin "mad"(%a, %b, %a) : (f32, f32, f32) -> f32
// CHECK-NEXT:     %9 = arith.addf %7, %8 : f32
// CHECK-NEXT:     %10 = math.powf %a, %b : f32
// CHECK-NEXT:     %11 = arith.addf %9, %10 : f32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %11, %x[%c1] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %12 = arith.minnumf %a, %b : f32
// CHECK-NEXT:     %13 = arith.maxnumf %a, %b : f32
// CHECK-NEXT:     %14 = arith.addf %12, %13 : f32
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %cst_1 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:     %15 = ocl.builtin "clamp"(%a, %cst, %cst_1) : (f32, f32, f32) -> f32
// CHECK-NEXT:     %16 = arith.addf %14, %15 : f32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %16, %x[%c2] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %17 = ocl.builtin "native_rsqrt"(%a) : (f32) -> f32
// CHECK-NEXT:     %18 = ocl.builtin "half_cos"(%b) : (f32) -> f32
// CHECK-NEXT:     %19 = arith.addf %17, %18 : f32
// CHECK-NEXT:     %20 = ocl.builtin "smoothstep"(%cst, %cst_1, %a) : (f32, f32, f32) -> f32
// CHECK-NEXT:     %21 = arith.addf %19, %20 : f32
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     ocl.store %21, %x[%c3] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %22, %23 = ocl.builtin "modf"(%a) : (f32) -> (f32, f32)
// CHECK-NEXT:     ocl.store %23, %whole : !ocl.ptr<f32, private>
// CHECK-NEXT:     %24 = ocl.load %whole : !ocl.ptr<f32, private>
// CHECK-NEXT:     %25 = arith.addf %22, %24 : f32
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     ocl.store %25, %x[%c4] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %26, %27 = ocl.builtin "frexp"(%a) : (f32) -> (f32, i32)
// CHECK-NEXT:     ocl.store %27, %exponent : !ocl.ptr<i32, private>
// CHECK-NEXT:     %28 = ocl.builtin "ldexp"(%26, %c2_i32) : (f32, i32) -> f32
// CHECK-NEXT:     %29 = ocl.load %exponent : !ocl.ptr<i32, private>
// CHECK-NEXT:     %30 = arith.sitofp %29 : i32 to f32
// CHECK-NEXT:     %31 = arith.addf %28, %30 : f32
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     ocl.store %31, %x[%c5] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %32 = ocl.builtin "nan"(%c1_i32) : (i32) -> f32
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     ocl.store %32, %x[%c6] : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @vectors(%v: !ocl.ptr<vector<4xf32>, global> {ocl.name = "v", ocl.type = "float4*"}, %x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.type = "float*"}) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = ocl.load %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %cst = arith.constant dense<5.000000e-01> : vector<4xf32>
// CHECK-NEXT:     %1 = arith.maxnumf %0, %cst : vector<4xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %2 = ocl.load %v[%c2] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %3 = ocl.load %v[%c3] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %cst_1 = arith.constant dense<2.500000e-01> : vector<4xf32>
// CHECK-NEXT:     %4 = ocl.builtin "mix"(%2, %3, %cst_1) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     %5 = arith.addf %1, %4 : vector<4xf32>
// CHECK-NEXT:     ocl.store %5, %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %6 = ocl.load %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %7 = ocl.load %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %8 = ocl.builtin "dot"(%6, %7) : (vector<4xf32>, vector<4xf32>) -> f32
// CHECK-NEXT:     %9 = ocl.load %v[%c2] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %10 = ocl.builtin "length"(%9) : (vector<4xf32>) -> f32
// CHECK-NEXT:     %11 = arith.addf %8, %10 : f32
// CHECK-NEXT:     %12 = ocl.load %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %13 = ocl.load %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %14 = ocl.builtin "distance"(%12, %13) : (vector<4xf32>, vector<4xf32>) -> f32
// CHECK-NEXT:     %15 = arith.addf %11, %14 : f32
// CHECK-NEXT:     ocl.store %15, %x : !ocl.ptr<f32, global>
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %16 = ocl.load %v[%c5] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %17 = ocl.builtin "normalize"(%16) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     %18 = ocl.load %v[%c6] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %cst_2 = arith.constant dense<3> : vector<4xi32>
// CHECK-NEXT:     %19 = ocl.builtin "ldexp"(%18, %cst_2) : (vector<4xf32>, vector<4xi32>) -> vector<4xf32>
// CHECK-NEXT:     %20 = arith.addf %17, %19 : vector<4xf32>
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     ocl.store %20, %v[%c4] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @integers(%x: !ocl.ptr<i32, global> {ocl.name = "x", ocl.type = "int*"}, %u: !ocl.ptr<i32, global> {ocl.name = "u", ocl.type = "uint*"}, %a: i32 {ocl.name = "a", ocl.type = "int"}, %b: i32 {ocl.name = "b", ocl.type = "uint"}) {
// CHECK-NEXT:     %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT:     %0 = arith.minsi %a, %c3_i32 : i32
// CHECK-NEXT:     %1 = math.ctlz %a : i32
// CHECK-NEXT:     %2 = arith.addi %0, %1 : i32
// CHECK-NEXT:     %3 = math.ctpop %a : i32
// CHECK-NEXT:     %4 = arith.addi %2, %3 : i32
// CHECK-NEXT:     %5 = ocl.builtin "s_mad24"(%a, %a, %a) : (i32, i32, i32) -> i32
// CHECK-NEXT:     %6 = arith.addi %4, %5 : i32
// CHECK-NEXT:     ocl.store %6, %x : !ocl.ptr<i32, global>
// CHECK-NEXT:     %7 = arith.maxui %b, %c3_i32 : i32
// CHECK-NEXT:     %8 = ocl.builtin "s_abs"(%a) : (i32) -> i32
// CHECK-NEXT:     %9 = arith.addi %7, %8 : i32
// CHECK-NEXT:     %10 = arith.addi %9, %b : i32
// CHECK-NEXT:     %11 = ocl.builtin "u_mul_hi"(%b, %b) : (i32, i32) -> i32
// CHECK-NEXT:     %12 = arith.addi %10, %11 : i32
// CHECK-NEXT:     ocl.store %12, %u : !ocl.ptr<i32, global>
// CHECK-NEXT:     %13 = ocl.builtin "rotate"(%a, %c3_i32) : (i32, i32) -> i32
// CHECK-NEXT:     %14 = ocl.builtin "s_add_sat"(%a, %a) : (i32, i32) -> i32
// CHECK-NEXT:     %15 = arith.addi %13, %14 : i32
// CHECK-NEXT:     %16 = ocl.builtin "s_hadd"(%a, %a) : (i32, i32) -> i32
// CHECK-NEXT:     %17 = arith.addi %15, %16 : i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %17, %x[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %18 = ocl.builtin "s_abs_diff"(%a, %c3_i32) : (i32, i32) -> i32
// CHECK-NEXT:     %19 = ocl.builtin "u_add_sat"(%b, %b) : (i32, i32) -> i32
// CHECK-NEXT:     %20 = arith.addi %18, %19 : i32
// CHECK-NEXT:     %21 = arith.trunci %b : i32 to i16
// CHECK-NEXT:     %22 = arith.trunci %a : i32 to i16
// CHECK-NEXT:     %23 = ocl.builtin "upsample"(%21, %22) : (i16, i16) -> i32
// CHECK-NEXT:     %24 = arith.addi %20, %23 : i32
// CHECK-NEXT:     ocl.store %24, %u[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }
