// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,ocl-expand-builtins,wg-rebase-loops" | filecheck %s

// The taps of a filter that are inside of the data: where these begin, as an id sees it, falls with the
// id. All work-items count the taps, from 0 on, and not all elements that one of them needs.
kernel void taps(global const float *in, global float *out, int w, int r) {
  int x = get_global_id(0);
  float sum = 0;
  for (int i = max(r - x, 0); i < min(w + r - x, 2 * r + 1); i++) sum += in[x + i - r];
  out[x] = sum;
}
// CHECK-LABEL: wg.func @taps(
// CHECK:         wg.parallel
// CHECK:           scf.for %k =
// CHECK-NEXT:        %i = arith.addi %c0, %k : index
// CHECK:             scf.if %inside
