//: global 64 512
//: local 64 1
//: arg r.random((5000, 64), np.float32)
//: arg r.integers(0, 5000, (512, 12), np.int32)
//: arg np.zeros((512, 64), np.float32)
//: arg np.int32(12)
__kernel void embedding_mean(__global const float *table, __global const int *tokens, __global float *out, int len) {
  int d = get_global_id(0), s = get_global_id(1), dim = get_global_size(0);
  float acc = 0;
  int used = 0;
  for (int k = 0; k < len; k++) {
    int tok = tokens[s * len + k];
    if (tok == 0) continue;
    acc += table[tok * dim + d];
    used++;
  }
  out[s * dim + d] = used ? acc / used : 0.0f;
}
