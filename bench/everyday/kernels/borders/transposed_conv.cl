//: global 64 64 8
//: local 8 8 1
//: arg r.random(16 * 32 * 32, np.float32)
//: arg r.random(16 * 8 * 16, np.float32)
//: arg np.zeros(8 * 64 * 64, np.float32)
//: arg np.int32(16)
//: arg np.int32(32)
//: arg np.int32(32)
// Transposed convolution, 4 x 4 filters, stride 2, padding 1: what each output gathers.
kernel void deconv(global const float *in, global const float *weights, global float *out, int channels, int ih, int iw) {
  int ox = get_global_id(0), oy = get_global_id(1), oc = get_global_id(2);
  float acc = 0;
  for (int ic = 0; ic < channels; ic++)
    for (int ky = 0; ky < 4; ky++) {
      int sy = oy + 1 - ky;
      if (sy < 0 || sy % 2 != 0) continue;
      sy /= 2;
      if (sy >= ih) continue;
      for (int kx = 0; kx < 4; kx++) {
        int sx = ox + 1 - kx;
        if (sx < 0 || sx % 2 != 0) continue;
        sx /= 2;
        if (sx < iw) acc += in[(ic * ih + sy) * iw + sx] * weights[((ic * 8 + oc) * 4 + ky) * 4 + kx];
      }
    }
  out[(oc * 2 * ih + oy) * 2 * iw + ox] = acc;
}
