__kernel void mandelbrot(__global int *out, int w, float x0, float y0, float dx, float dy,
                         int most) {
  ID px = get_global_id(0), py = get_global_id(1);
  float cx = x0 + px * dx, cy = y0 + py * dy, zx = 0.0f, zy = 0.0f;
  int it = 0;
  while (it < most && zx * zx + zy * zy < 4.0f) {
    float t = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = t;
    it++;
  }
  out[py * w + px] = it;
}
