// Some work-items, or all, are outside of the image.
kernel void f(global float *out, global const float *in, int width, int height, int r) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int j = max(y - r, 0); j < min(y + r + 1, height); ++j)
    for (int i = max(x - r, 0); i < min(x + r + 1, width); ++i)
      sum += in[j * width + i];
  out[y * width + x] = sum;
}
