//: global 1024 768
//: local 16 16
//: arg r.integers(0, 256, 1024 * 768, np.uint8)
//: arg np.zeros(1024 * 768, np.float32)
//: arg np.zeros(1024 * 768, np.float32)
//: arg np.int32(1024)
//: arg np.int32(768)
// Sobel's gradients of the inside, zero at the border.
kernel void sobel(global const uchar *img, global float *mag, global float *dir, int w, int h) {
  const size_t x = get_global_id(0);
  const size_t y = get_global_id(1);
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    const global uchar *p = img + y * w + x;
    int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    mag[y * w + x] = sqrt((float)(gx * gx + gy * gy));
    dir[y * w + x] = atan2((float)gy, (float)gx);
  } else {
    mag[y * w + x] = 0.0f;
    dir[y * w + x] = 0.0f;
  }
}
