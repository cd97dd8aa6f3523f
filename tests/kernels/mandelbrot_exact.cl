// Divergent while loop with two exits in two dimensions.
// LAUNCH: global=24x16 local=8x4 args: out=zeros:i32:16x24 most=50
// LAUNCH: global=9x3 local=3x3 args: out=zeros:i32:3x9 most=1
kernel void mandelbrot(global int *out, int most) {
  int px = get_global_id(0), py = get_global_id(1);
  float cx = -2.0f + 3.0f * (float)px / (float)get_global_size(0);
  float cy = -1.0f + 2.0f * (float)py / (float)get_global_size(1);
  float x = 0.0f, y = 0.0f;
  int n = 0;
  while (n < most) {
    float x2 = x * x, y2 = y * y;
    if (x2 + y2 > 4.0f)
      break;
    y = 2.0f * x * y + cy;
    x = x2 - y2 + cx;
    ++n;
  }
  out[py * get_global_size(0) + px] = n;
}
