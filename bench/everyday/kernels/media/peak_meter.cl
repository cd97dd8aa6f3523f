//: global 512
//: local 64
//: arg (r.random((512, 512)) * 2 - 1).astype(np.float32)
//: arg np.zeros((512, 2), np.float32)
//: arg np.int32(512)
// Peak and mean square of each window.
kernel void meter(global const float *x, global float2 *levels, int n) {
  int w = get_global_id(0);
  global const float *p = x + w * n, *end = p + n;
  float peak = 0, power = 0;
  for (; p != end; ++p) {
    peak = fmax(peak, fabs(*p));
    power += *p * *p;
  }
  levels[w] = (float2)(peak, sqrt(power / n));
}
