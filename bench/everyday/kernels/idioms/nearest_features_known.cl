//: global 4096
//: local 64
//: arg r.random(32768, np.float32)
//: arg r.random(2048, np.float32)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(256)
// Eight features, copied first.
#define N 8
kernel void nearest(global const float *x, global const float *centre, global int *out, int k) {
  size_t i = get_global_id(0);
  float mine[N];
  for (int f = 0; f < N; f++) mine[f] = x[i * N + f];
  float least = INFINITY;
  int which = 0;
  for (int c = 0; c != k; c++) {
    float sum = 0.0f;
    for (int f = 0; f < N; f++) {
      float d = mine[f] - centre[c * N + f];
      sum += d * d;
    }
    which = sum < least ? c : which;
    least = fmin(sum, least);
  }
  out[i] = which;
}
