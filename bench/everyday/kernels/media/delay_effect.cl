//: global 131072
//: local 256
//: arg (r.random((131072, 2)) - 0.5).astype(np.float32)
//: arg np.zeros((131072, 2), np.float32)
//: arg np.int32(4410)
//: arg np.float32(0.4)
kernel void echo(global const float2 *in, global float2 *out, int delay, float gain) {
  int i = get_global_id(0);
  float2 v = in[i];
  for (int k = 1; k <= 4; k++) {
    int j = i - k * delay;
    if (j < 0) break;
    v += in[j] * pown(gain, k);
  }
  out[i] = clamp(v, -1.0f, 1.0f);
}
