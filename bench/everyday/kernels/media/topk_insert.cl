//: global 1024
//: local 64
//: arg r.random((1024, 200), np.float32)
//: arg np.zeros((1024, 4), np.float32)
//: arg np.int32(200)
kernel void top4(global const float *scores, global float *best, int n) {
  int r = get_global_id(0);
  float k[4] = {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX};
  for (int j = 0; j < n; j++) {
    float v = scores[r * n + j];
    if (v <= k[3]) continue;
    int p = 3;
    while (p > 0 && k[p - 1] < v) { k[p] = k[p - 1]; p--; }
    k[p] = v;
  }
  for (int j = 0; j < 4; j++) best[r * 4 + j] = k[j];
}
