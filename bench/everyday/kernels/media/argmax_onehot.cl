//: global 4096
//: local 64
//: arg r.random((4096, 32), np.float32)
//: arg np.zeros(4096, np.int32)
//: arg np.zeros((4096, 32), np.uint8)
//: arg np.int32(32)
kernel void argmax_onehot(global const float *scores, global int *best, global uchar *onehot, int n) {
  int i = get_global_id(0);
  int k = 0;
  for (int j = 1; j < n; j++)
    if (scores[i * n + j] > scores[i * n + k]) k = j;
  best[i] = k;
  for (int j = 0; j < n; j++) onehot[i * n + j] = j == k;
}
