// RUN: ocl-opt %s -cl-fast-relaxed-math -p "fuse-products,ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize{both=true}" | filecheck %s
// RUN: ocl-opt %s -cl-fast-relaxed-math -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize{both=true fuse=false}" | filecheck %s --check-prefix=UNFUSED

// Vectors have the flags of what they replace.
// CHECK-LABEL: wg.func @scale(
// CHECK:         arith.mulf %{{.*}}, %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : vector<16xf32>
kernel void scale(global float *x, float a) { x[get_global_id(0)] *= a; }

// Where the program measures which form is faster, both round alike: results do not depend on the
// time that something took. A product and a sum are one operation, as without the option.
// CHECK-LABEL: wg.func @iterate(
// CHECK:         wg.choose 0
// CHECK-NOT:     fastmath
// CHECK:         math.fma {{.*}} : vector<16xf32>
// CHECK:       } else {
// CHECK-NOT:     fastmath
// CHECK:         math.fma {{.*}} : f32
// CHECK:         wg.return
// UNFUSED-LABEL: wg.func @iterate(
// UNFUSED:         wg.choose 0
// UNFUSED-NOT:     math.fma
// UNFUSED-NOT:     fastmath
// UNFUSED:         wg.return
kernel void iterate(global float *x, global const float *c) {
  int i = get_global_id(0);
  float z = x[i];
  for (int k = 0; k < 100 && z < 4.0f; k++) z = z * z + c[i];
  x[i] = z;
}

// A row of each work-item's own: LLVM adds several numbers at once, as it does with integers, which
// is less than to put vectors together of as many rows.
// CHECK-LABEL: wg.func @rows(
// CHECK-NOT:     wg.choose
// CHECK:         arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK:         wg.return
kernel void rows(global const float *a, global const float *b, global float *c, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) s += a[i * n + k] * b[i * n + k];
  c[i] = s;
}

// LLVM makes no vectors of a sum that takes only some elements, unless there are no NaNs.
// CHECK-LABEL: wg.func @some(
// CHECK:         arith.addf %{{.*}} : vector<16xf32>
// CHECK:         wg.return
kernel void some(global const float *a, global float *c, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) s = select(s, s + a[i * n + k], a[i * n + k] > 1.0f);
  c[i] = s;
}
