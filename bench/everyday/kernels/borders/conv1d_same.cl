//: global 4096 16
//: local 64 1
//: arg r.random(16 * 4096, np.float32)
//: arg r.random(31, np.float32)
//: arg np.zeros(16 * 4096, np.float32)
//: arg np.int64(4096)
//: arg np.int64(31)
// Convolution with "same" padding of rows, lower and upper end of the sum computed first.
kernel void conv_same(global const float *x, global const float *k, global float *y, long n, long m) {
  long i = get_global_id(0), row = get_global_id(1);
  global const float *xr = x + row * n;
  long centre = m / 2;
  long from = i - centre > 0 ? i - centre : 0;
  long to = i + centre < n - 1 ? i + centre : n - 1;
  float s = 0.0f;
  for (long j = from; j <= to; j++) s += xr[j] * k[i - j + centre];
  y[row * n + i] = s;
}
