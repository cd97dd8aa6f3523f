//: global 64 64 16
//: local 8 8 1
//: arg r.random(8 * 64 * 64, np.float32)
//: arg r.random(16 * 8 * 9, np.float32)
//: arg r.random(16, np.float32)
//: arg np.zeros(16 * 64 * 64, np.float32)
//: arg np.int32(8)
//: arg np.int32(64)
//: arg np.int32(64)
//: arg np.int32(2)
// A layer of 3 x 3 filters with dilation, padded so that the size stays.
__kernel void conv(__global const float* restrict input, __global const float* restrict weights,
                   __global const float* restrict bias, __global float* restrict output,
                   const int channels, const int height, const int width, const int dilation) {
  const int ox = get_global_id(0);
  const int oy = get_global_id(1);
  const int oc = get_global_id(2);
  float sum = bias[oc];
  for (int ic = 0; ic < channels; ic++) {
    for (int ky = 0; ky < 3; ky++) {
      int iy = oy + (ky - 1) * dilation;
      for (int kx = 0; kx < 3; kx++) {
        int ix = ox + (kx - 1) * dilation;
        if (iy >= 0 && iy < height && ix >= 0 && ix < width) {
          sum += input[(ic * height + iy) * width + ix] * weights[((oc * channels + ic) * 3 + ky) * 3 + kx];
        }
      }
    }
  }
  output[(oc * height + oy) * width + ox] = fmax(sum, 0.0f);
}
