//: global 2048
//: local 64
//: arg r.random((2048, 256), np.float32)
//: arg np.zeros((2048, 5), np.float32)
//: arg np.zeros((2048, 5), np.int32)
//: arg np.int32(256)
// The five largest of each row and their places, by insertion.
#define K 5
__kernel void topk(__global const float *scores, __global float *best, __global int *index, const int cols) {
  int row = get_global_id(0);
  float v[K];
  int at[K];
  for (int k = 0; k < K; ++k) {
    v[k] = -INFINITY;
    at[k] = -1;
  }
  for (int c = 0; c < cols; ++c) {
    float s = scores[row * cols + c];
    if (s <= v[K - 1]) continue;
    int p = K - 1;
    while (p > 0 && v[p - 1] < s) {
      v[p] = v[p - 1];
      at[p] = at[p - 1];
      --p;
    }
    v[p] = s;
    at[p] = c;
  }
  for (int k = 0; k < K; ++k) {
    best[row * K + k] = v[k];
    index[row * K + k] = at[k];
  }
}
