// How fast z*z + c grows, as a shade of grey: work-items of one group leave the loop at
// different times.
// LAUNCH: global=32x24 local=8x8 args: grey=zeros:u8:24x32 x0=-2.2 y0=-1.2 size=2.4 most=64
// LAUNCH: global=9x5 local=3x5 args: grey=zeros:u8:5x9 x0=-0.8 y0=0.05 size=0.1 most=255

kernel void mandelbrot(global uchar *grey, float x0, float y0, float size, int most) {
  int px = get_global_id(0), py = get_global_id(1);
  float scale = size / get_global_size(1);
  float cx = x0 + px * scale, cy = y0 + py * scale;
  float x = 0.0f, y = 0.0f;
  int n = 0;
  while (n < most && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  grey[py * get_global_size(0) + px] = n == most ? 0 : 255 - 255 * n / most;
}
