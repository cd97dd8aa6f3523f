//: global 28 28 16
//: local 14 2 1
//: arg r.random((8, 28, 28), np.float32)
//: arg r.random((16, 8, 3, 3), np.float32)
//: arg r.random(16, np.float32)
//: arg np.zeros((16, 28, 28), np.float32)
//: arg np.int32(8)
//: arg np.int32(28)
//: arg np.int32(28)
//: arg np.int32(3)
//: arg np.int32(1)
//: arg np.int32(1)
__kernel void conv2d(__global const float *in, __global const float *weight, __global const float *bias,
                     __global float *out, int C, int H, int W, int K, int stride, int pad) {
  int ox = get_global_id(0), oy = get_global_id(1), oc = get_global_id(2);
  int OW = get_global_size(0), OH = get_global_size(1);
  float acc = bias[oc];
  for (int c = 0; c < C; c++)
    for (int ky = 0; ky < K; ky++) {
      int iy = oy * stride - pad + ky;
      if (iy < 0 || iy >= H) continue;
      for (int kx = 0; kx < K; kx++) {
        int ix = ox * stride - pad + kx;
        if (ix < 0 || ix >= W) continue;
        acc += in[(c * H + iy) * W + ix] * weight[((oc * C + c) * K + ky) * K + kx];
      }
    }
  out[(oc * OH + oy) * OW + ox] = fmax(acc, 0.0f);
}
