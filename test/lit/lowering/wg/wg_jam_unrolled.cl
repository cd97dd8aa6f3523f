// RUN: ocl-opt %s -p "ocl-set-local-size{size=32,1,1},ocl-to-wg,widen-indices,wg-vectorize{width=16},wg-jam{vectors=2}" | filecheck %s

// LLVM unrolls a loop of few iterations, and one of more whose counter has no use, for one tile. Of
// two it is told to (-6). The sum over a long row stays a loop.
// CHECK-LABEL: wg.func @bits
// CHECK:       scf.for
// CHECK:       } {ocl.unroll = -6 : i32}
kernel void bits(global const uint *in, global uint *out) {
  int i = get_global_id(0);
  uint v = in[i], r = 0;
  for (int b = 0; b < 32; b++) {
    r = r << 1 | v & 1;
    v >>= 1;
  }
  out[i] = r;
}

// CHECK-LABEL: wg.func @neighbours
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK:         } {ocl.unroll = -6 : i32}
// CHECK:       } {ocl.unroll = -6 : i32}
kernel void neighbours(global const float *in, global float *out, int w) {
  int i = get_global_id(0);
  float s = 0;
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++)
      s += in[y * w + i + x];
  out[i] = s;
}

// CHECK-LABEL: wg.func @row
// CHECK:       scf.for
// CHECK-NOT:   ocl.unroll
kernel void row(global const float *in, global float *out) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 16; k++)
    s += in[16 * k + i];
  out[i] = s;
}
