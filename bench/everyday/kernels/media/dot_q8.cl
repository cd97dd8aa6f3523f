//: global 1024
//: local 32
//: arg r.integers(-128, 128, (1024, 512), np.int8)
//: arg r.integers(-128, 128, 512, np.int8)
//: arg r.random(1024, np.float32)
//: arg np.zeros(1024, np.int8)
//: arg np.int32(512)
//: arg np.float32(0.001)
__kernel void linear_int8(__global const char *w, __global const char *x, __global const float *scales,
                          __global char *y, int n, float xs) {
  int row = get_global_id(0);
  int acc = 0;
  __global const char4 *wv = (__global const char4 *)(w + row * n);
  __global const char4 *xv = (__global const char4 *)x;
  for (int k = 0; k < n / 4; k++) {
    char4 a = wv[k], b = xv[k];
    acc += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  y[row] = convert_char_sat_rte(acc * scales[row] * xs);
}
