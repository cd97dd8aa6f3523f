// RUN: ocl-opt %s -p 'ocl-set-local-size{size=64,1,1},ocl-to-wg,poly-normalize,poly-extract,poly-print' 2>&1 >/dev/null | filecheck %s
// RUN: ocl-opt %s -p 'ocl-set-local-size{size=64,1,1},ocl-to-wg,poly-normalize,poly-extract,poly-split,poly-print' 2>&1 >/dev/null | filecheck %s --check-prefix=SPLIT
// RUN: ocl-opt %s -p 'ocl-set-local-size{size=64,1,1},ocl-to-wg,poly-normalize,poly-extract,poly-print' 2>/dev/null | ocl-opt | filecheck %s --check-prefix=MODULE

// The module is still the output.
// MODULE: poly.kernel @sums_0

// A row is an array of `width` elements, which is not affine: the address is a sum. What
// is read from `from` is not known to isl, so neither is the element of `out` that is written.
// CHECK:      Kernel: @sums_0
// CHECK-NEXT: Context:
// CHECK-NEXT:     [G0] -> { : G0 >= 0 }
// CHECK-NEXT: Statements {
// CHECK-NEXT:     Stmt_0 ({{.*}}poly_print.cl:[[# @LINE + 28]]:12)
// CHECK-NEXT:         Domain :=
// CHECK-NEXT:             [G0, n, width] -> { R[x, k] : 0 <= x < -G0 + n and x <= 63 and 0 <= k < width }
// CHECK-NEXT:         ReadAccess :=
// CHECK-NEXT:             { R[x, k] -> in[k] }
// CHECK-NEXT:             + width * [G0] -> { R[x, k] -> in[G0 + x] }
// CHECK-NEXT:     Stmt_1 ({{.*}}poly_print.cl:[[# @LINE + 23]]:7)
// CHECK-NEXT:         Domain :=
// CHECK-NEXT:             [G0, n] -> { R[x] : 0 <= x < -G0 + n and x <= 63 }
// CHECK-NEXT:         ReadAccess :=
// CHECK-NEXT:             [G0] -> { R[x] -> to[G0 + x] }
// CHECK-NEXT:         MayWriteAccess :=
// CHECK-NEXT:             { R[x] -> out[i] }
// CHECK-NEXT: }

// SPLIT:      Subkernel: @sums_0_x, along 0, width 8
// SPLIT-NEXT:     Domain :=
// SPLIT-NEXT:         [G0, n] -> { R[x] : {{.*}} }
// SPLIT-NEXT:     Codelets {
// SPLIT-NEXT:         lanes 8, tile = full, mem = cons, ctl = uniform
// SPLIT-NEXT:             Domain :=
// SPLIT-NEXT:                 [G0, n] -> { interior[t] : 0 <= t <= 7 and 8t <= -8 - G0 + n }
// SPLIT:      Subkernel: @sums_0_scalar, along 0, width 1
kernel void sums(global const float *in, global const int *to, global float *out, int width, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < width; k++)
    sum += in[i * width + k];
  out[to[i]] = sum;
}
