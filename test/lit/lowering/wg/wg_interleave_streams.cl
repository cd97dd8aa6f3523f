// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize,wg-interleave" --remarks 2>&1 >/dev/null | filecheck %s

// Memory bounds a stencil: four tiles that load together and store together only disturb its streams.
// CHECK-NOT: wg_interleave_streams.cl:6:{{.*}} share one body
kernel void stencil(global float *out, global const float *in, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] * 0.5f + (in[y * w + x - 1] + in[y * w + x + 1]) * 0.125f
                 + (in[(y - 1) * w + x] + in[(y + 1) * w + x]) * 0.25f;
}

// The same bytes with more to do, one operation after the other.
// CHECK: wg_interleave_streams.cl:[[# @LINE + 3]]:{{.*}} 1 rows x 4 vectors share one body [wg-interleave]
kernel void chain(global float *out, global const float *in, float c) {
  int x = get_global_id(0);
  float v = in[x];
  v = v * (v - c) - c; v = v * (v - c) - c; v = v * (v - c) - c; v = v * (v - c) - c;
  v = v * (v - c) - c; v = v * (v - c) - c; v = v * (v - c) - c; v = v * (v - c) - c;
  out[x] = v;
}
