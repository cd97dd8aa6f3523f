//: global 256 192
//: local 16 16
//: arg np.zeros((192, 256), np.uint8)
//: arg np.int32(256)
//: arg np.int32(192)
// Mandelbrot's set in fixed-point numbers.
#define SHIFT 24
__kernel void mandel(__global uchar *image, int width, int height) {
  int px = get_global_id(0), py = get_global_id(1);
  if (px >= width || py >= height) return;
  long cx = (((long)px * 3 << SHIFT) / width) - (2L << SHIFT);
  long cy = (((long)py * 2 << SHIFT) / height) - (1L << SHIFT);
  long x = 0, y = 0;
  int n = 0;
  for (; n < 100; n++) {
    long xx = x * x >> SHIFT, yy = y * y >> SHIFT;
    if (xx + yy > 4L << SHIFT) break;
    y = (x * y >> (SHIFT - 1)) + cy;
    x = xx - yy + cx;
  }
  image[py * width + px] = n;
}
