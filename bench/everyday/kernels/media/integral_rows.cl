//: global 512
//: local 64
//: arg r.integers(0, 256, 512 * 512, np.uint8)
//: arg np.zeros(513 * 513, np.int32)
//: arg np.int32(512)
//: arg np.int32(512)
__kernel void integral_cols(__global const uchar *img, __global int *sum, int w, int h) {
  int x = get_global_id(0);
  int stride = w + 1;
  int s = 0;
  __global const uchar *p = img + x;
  __global int *q = sum + stride + x + 1;
  for (int y = 0; y < h; y++) {
    s += *p;
    *q = s;
    p += w;
    q += stride;
  }
}
