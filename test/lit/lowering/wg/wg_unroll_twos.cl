// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,wg-unroll-twos" | filecheck %s

// Even work-items read one point, odd ones two.
// CHECK-LABEL: wg.func @odd(
// CHECK-NOT:     scf.for
// CHECK:         arith.addf
// CHECK:         %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    scf.if %[[MORE]]
// CHECK:           arith.addf
// CHECK:         wg.return
kernel void odd(global const float *p, global float *y) {
  int x = get_global_id(0), n = 1 + (x & 1);
  float s = 0;
  for (int k = 0; k < n; k++) s += p[x / 2 + k];
  y[x] = s;
}

// All work-items have the same bound: LLVM unrolls the loop, without masks.
// CHECK-LABEL: wg.func @alike(
// CHECK:         scf.for
kernel void alike(global const float *p, global float *y, int m) {
  int x = get_global_id(0), n = 1 + (m & 1);
  float s = 0;
  for (int k = 0; k < n; k++) s += p[x / 2 + k];
  y[x] = s;
}

// Up to four iterations.
// CHECK-LABEL: wg.func @four(
// CHECK:         scf.for
kernel void four(global const float *p, global float *y) {
  int x = get_global_id(0), n = 1 + (x & 3);
  float s = 0;
  for (int k = 0; k < n; k++) s += p[x / 2 + k];
  y[x] = s;
}
