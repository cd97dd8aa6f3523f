//: global 28 28 64
//: local 28 1 1
//: arg r.random((64, 56, 56), np.float32)
//: arg np.zeros((64, 28, 28), np.float32)
//: arg np.zeros((64, 28, 28), np.int32)
__kernel void maxpool2x2(__global const float *in, __global float *out, __global int *where) {
  int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
  int W = get_global_size(0), H = get_global_size(1);
  float best = -FLT_MAX;
  int at = -1;
  for (int j = 0; j < 2; j++) {
    for (int i = 0; i < 2; i++) {
      int idx = (c * 2 * H + y * 2 + j) * 2 * W + x * 2 + i;
      if (in[idx] > best) {
        best = in[idx];
        at = idx;
      }
    }
  }
  out[(c * H + y) * W + x] = best;
  where[(c * H + y) * W + x] = at;
}
