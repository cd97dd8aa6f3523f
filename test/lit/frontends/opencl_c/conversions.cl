// RUN: ocl-opt %s | filecheck %s
// as_type, convert_type and printf.

kernel void conversions(global float *f, global int *i, global uchar4 *c, global float4 *v) {
  i[0] = as_int(f[0]);
  i[1] = as_int(c[0]);
  i[2] = convert_int(f[1]);
  i[3] = convert_int_rte(f[2]);
  i[4] = convert_int_sat(f[3]);
  c[1] = convert_uchar4_sat_rte(v[0]);
  v[1] = convert_float4(c[2]);
  c[3] = convert_uchar4_sat(c[4]);
  c[5] = convert_uchar4_sat(convert_int4(v[2]));
}

kernel void formatted(int i, float f, float4 v) {
  printf("%d %s\n", i, "100%");
  printf("%5.2f %v4hlf %%\n", f, v);
}

// CHECK-LABEL: ocl.kernel @conversions(%f: !ocl.ptr<f32, global> {ocl.name = "f", ocl.type = "float*"}, %i: !ocl.ptr<i32, global> {ocl.name = "i", ocl.type = "int*"}, %c: !ocl.ptr<vector<4xi8>, global> {ocl.name = "c", ocl.type = "uchar4*"}, %v: !ocl.ptr<vector<4xf32>, global> {ocl.name = "v", ocl.type = "float4*"}) {
// CHECK-NEXT:     %0 = ocl.load %f : !ocl.ptr<f32, global>
// CHECK-NEXT:     %1 = ocl.bitcast %0 : f32 to i32
// CHECK-NEXT:     ocl.store %1, %i : !ocl.ptr<i32, global>
// CHECK-NEXT:     %2 = ocl.load %c : !ocl.ptr<vector<4xi8>, global>
// CHECK-NEXT:     %3 = ocl.bitcast %2 : vector<4xi8> to i32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     ocl.store %3, %i[%c1] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %4 = ocl.load %f[%c1] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %5 = arith.fptosi %4 : f32 to i32
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     ocl.store %5, %i[%c2] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %6 = ocl.load %f[%c2] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %7 = ocl.convert %6 rounding rte : f32 to i32
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     ocl.store %7, %i[%c3] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %8 = ocl.load %f[%c3] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %9 = ocl.convert %8 sat : f32 to i32
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     ocl.store %9, %i[%c4] : !ocl.ptr<i32, global>
// CHECK-NEXT:     %10 = ocl.load %v : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %11 = ocl.convert %10 rounding rte sat : vector<4xf32> to unsigned vector<4xi8>
// CHECK-NEXT:     ocl.store %11, %c[%c1] : !ocl.ptr<vector<4xi8>, global>
// CHECK-NEXT:     %12 = ocl.load %c[%c2] : !ocl.ptr<vector<4xi8>, global>
// CHECK-NEXT:     %13 = vec.uitofp %12 : vector<4xi8> to vector<4xf32>
// CHECK-NEXT:     ocl.store %13, %v[%c1] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %14 = ocl.load %c[%c4] : !ocl.ptr<vector<4xi8>, global>
// CHECK-NEXT:     ocl.store %14, %c[%c3] : !ocl.ptr<vector<4xi8>, global>
// CHECK-NEXT:     %15 = ocl.load %v[%c2] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:     %16 = vec.fptosi %15 : vector<4xf32> to vector<4xi32>
// CHECK-NEXT:     %17 = ocl.convert %16 sat : vector<4xi32> to unsigned vector<4xi8>
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     ocl.store %17, %c[%c5] : !ocl.ptr<vector<4xi8>, global>
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// CHECK-LABEL: ocl.kernel @formatted(%i: i32 {ocl.name = "i", ocl.type = "int"}, %f: f32 {ocl.name = "f", ocl.type = "float"}, %v: vector<4xf32> {ocl.name = "v", ocl.type = "float4"}) {
// CHECK-NEXT:     %0 = ocl.printf "%d 100%%\0A"(%i) : (i32) -> i32
// CHECK-NEXT:     %1 = arith.extf %f : f32 to f64
// CHECK-NEXT:     %2 = ocl.printf "%5.2f %v4hlf %%\0A"(%1, %v) : (f64, vector<4xf32>) -> i32
// CHECK-NEXT:     ocl.return
// CHECK-NEXT:   }

// An unsigned number that becomes signed says that it may be a sum that wraps: a signed one does
// not, so passes compute it in more bits.
// CHECK-LABEL: ocl.kernel @wraps
// CHECK:         %[[SUM:[0-9]+]] = arith.addi %{{n|m}}, %{{n|m}} : i32
// CHECK-NEXT:    %[[WIDE:[0-9]+]] = arith.extui %[[SUM]] : i32 to i64
// CHECK-NEXT:    arith.trunci %[[WIDE]] : i64 to i32
kernel void wraps(global int *x, uint n, uint m) {
  x[0] = (int)(n + m) < 4;
}

// So does one that is a sum once functions are inlined and memory is promoted, and a vector of them.
// CHECK-LABEL: ocl.kernel @wraps_elsewhere
// CHECK:         %[[RESULT:.*]] = func.call @sum
// CHECK-NEXT:    arith.extui %[[RESULT]] : i32 to i64
// CHECK:         vec.extui %{{.*}} : vector<2xi32> to vector<2xi64>
// CHECK-NEXT:    vec.trunci %{{.*}} : vector<2xi64> to vector<2xi32>
// CHECK-NOT:     arith.extui
uint sum(uint n, uint m) { return n + m; }
kernel void wraps_elsewhere(global int *x, global int2 *pairs, uint n, uint m) {
  x[0] = sum(n, m);
  pairs[0] = as_int2((uint2)(n + m, m));
  x[1] = m;
}

// A sum of 64 bits of ids and of numbers of 32 bits does not wrap; one with an argument may.
// CHECK-LABEL: ocl.kernel @sums_that_fit
// CHECK-NOT:     ocl.bitcast
// CHECK:         %[[FAR:[0-9]+]] = arith.addi %{{.*}}, %k : i64
// CHECK-NEXT:    ocl.bitcast %[[FAR]] : i64 to i64
// CHECK-NOT:     ocl.bitcast
// CHECK:         ocl.return
kernel void sums_that_fit(global long *x, uint n, ulong k) {
  long i = (get_global_id(0) % 16) * 4 + n - 1;
  for (int j = 0; j < 4; j++) {
    long row = get_global_id(1) + j;
    x[i] += row;
  }
  long far = get_global_id(0) + k;
  x[0] = far;
}

// A pointer to private integers that are written with another sign is a cast, which says the same.
// CHECK-LABEL: ocl.kernel @another_sign
// CHECK:         ocl.cast %v : !ocl.ptr<i32, private> to !ocl.ptr<i32, private>
kernel void another_sign(global int *x, uint n) {
  uint v = n + 1;
  x[0] = *(int *)&v;
}
