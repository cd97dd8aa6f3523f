//: global 32 16 16
//: local 32 1 1
//: arg r.random((32, 32, 16), np.float32)
//: arg r.random((3, 3, 16, 32), np.float32)
//: arg np.zeros((16, 16, 32), np.float32)
#define IN 32
#define CIN 16
#define COUT 32
kernel void conv_nhwc(global const float *restrict x, global const float *restrict w, global float *restrict y) {
  const size_t oc = get_global_id(0), ox = get_global_id(1), oy = get_global_id(2);
  float sum = 0;
  for (int ky = 0; ky < 3; ++ky) {
    const int iy = (int)oy * 2 + ky - 1;
    for (int kx = 0; kx < 3; ++kx) {
      const int ix = (int)ox * 2 + kx - 1;
      if (iy >= 0 && iy < IN && ix >= 0 && ix < IN)
        for (int ic = 0; ic < CIN; ++ic)
          sum += x[(iy * IN + ix) * CIN + ic] * w[((ky * 3 + kx) * CIN + ic) * COUT + oc];
    }
  }
  y[(oy * 16 + ox) * COUT + oc] = sum;
}
