//: global 65536
//: local 128
//: arg r.random(65536 + 63, np.float32)
//: arg r.random(64, np.float32)
//: arg np.zeros(65536, np.float32)
//: arg LocalBytes((128 + 63) * 4)
//: arg np.int32(64)
kernel void fir(global const float *x, constant float *h, global float *y, local float *buf, int taps) {
  int l = get_local_id(0), g = get_global_id(0), L = get_local_size(0);
  int base = get_group_id(0) * L;
  for (int k = l; k < L + taps - 1; k += L) buf[k] = x[base + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  float acc = 0.f;
  for (int t = 0; t < taps; ++t) acc = mad(h[t], buf[l + taps - 1 - t], acc);
  y[g] = acc;
}
