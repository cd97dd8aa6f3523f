// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize,wg-interleave{avx512=false}" --remarks 2>&1 >/dev/null | filecheck %s

// Each operation waits for the one before: another tile is computed in the meantime.
// CHECK: wg_interleave_registers.cl:[[# @LINE + 3]]:{{.*}} 1 rows x {{[24]}} vectors share one body [wg-interleave]
kernel void chain(global float *out, float c) {
  int i = get_global_id(0);
  float x = out[i];
  x = x * c - x;
  x = x * (x - c) - c;
  x = x * (x - c) - c;
  x = x * (x - c) - c;
  x = x * (x - c) - c;
  x = x * (x - c) - c;
  x = x * (x - c) - c;
  x = x * (x - c) - c;
  x = x * (x - c) - c;
  x = x * (x - c) - c;
  out[i] = x;
}

#define ORDER(a, b) { bool s = b < a; float t = s ? b : a; b = s ? a : b; a = t; }

// Two registers for each of nine values are more than there are: with a second tile nearly each
// operation would read from the stack and write to it.
// CHECK-NOT: share one body
kernel void median(global float *out, global const float *in, int n) {
  int i = get_global_id(0);
  float a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n], e = in[i + 4 * n],
        f = in[i + 5 * n], g = in[i + 6 * n], h = in[i + 7 * n], j = in[i + 8 * n];
  ORDER(b, c) ORDER(e, f) ORDER(h, j) ORDER(a, b) ORDER(d, e) ORDER(g, h) ORDER(b, c) ORDER(e, f)
  ORDER(h, j) ORDER(a, d) ORDER(f, j) ORDER(e, h) ORDER(d, g) ORDER(b, e) ORDER(c, f) ORDER(e, h)
  ORDER(e, c) ORDER(g, e) ORDER(e, c)
  out[i] = e;
}

// A load under a mask needs a register of its own, and LLVM moves those of all tiles to the start.
// CHECK-NOT: share one body
kernel void inside(global float *out, global const float *in, int n, float c) {
  int i = get_global_id(0);
  if (i > 0 && i < n) {
    float x = in[i - 1] + in[i];
    x = x * (x - c) - c;
    x = x * (x - c) - c;
    x = x * (x - c) - c;
    x = x * (x - c) - c;
    out[i] = x * (x - c) - c;
  }
}
