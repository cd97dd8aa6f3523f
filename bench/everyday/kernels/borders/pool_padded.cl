//: global 100352
//: local 64
//: arg r.random(32 * 112 * 112, np.float32)
//: arg np.zeros(32 * 56 * 56, np.float32)
//: arg np.zeros(32 * 56 * 56, np.int32)
//: arg np.int32(100352)
//: arg np.int32(112)
//: arg np.int32(112)
//: arg np.int32(56)
//: arg np.int32(56)
// Max pooling 3 x 3, stride 2, padding 1, with the index of the largest.
#define K 3
#define STRIDE 2
#define PAD 1
__kernel void maxpool(__global const float *bottom, __global float *top, __global int *mask, int n,
                      int height, int width, int ph_n, int pw_n) {
  for (int index = get_global_id(0); index < n; index += get_global_size(0)) {
    const int pw = index % pw_n;
    const int ph = (index / pw_n) % ph_n;
    const int c = index / pw_n / ph_n;
    int hstart = ph * STRIDE - PAD;
    int wstart = pw * STRIDE - PAD;
    const int hend = min(hstart + K, height);
    const int wend = min(wstart + K, width);
    hstart = max(hstart, 0);
    wstart = max(wstart, 0);
    float maxval = -FLT_MAX;
    int maxidx = -1;
    __global const float *slice = bottom + c * height * width;
    for (int h = hstart; h < hend; ++h) {
      for (int w = wstart; w < wend; ++w) {
        if (slice[h * width + w] > maxval) {
          maxidx = h * width + w;
          maxval = slice[maxidx];
        }
      }
    }
    top[index] = maxval;
    mask[index] = maxidx;
  }
}
