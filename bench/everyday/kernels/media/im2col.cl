//: global 25088
//: local 64
//: arg r.random((32, 28, 28), np.float32)
//: arg np.zeros(32 * 9 * 784, np.float32)
//: arg np.int32(25088)
//: arg np.int32(28)
//: arg np.int32(28)
// As Caffe has it: one work-item for each (channel, row, column).
kernel void im2col(global const float *im, global float *col, int n, int h, int w) {
  for (int index = get_global_id(0); index < n; index += get_global_size(0)) {
    int ow = index % w, oh = (index / w) % h, c = index / (w * h);
    global float *out = col + (c * 9 * h + oh) * w + ow;
    global const float *p = im + (c * h + oh - 1) * w + ow - 1;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        int y = oh - 1 + i, x = ow - 1 + j;
        *out = (y >= 0 && x >= 0 && y < h && x < w) ? p[i * w + j] : 0;
        out += h * w;
      }
  }
}
