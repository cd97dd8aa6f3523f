kernel void conv2d(global float *out, global const float *in, global const float *mask,
                   int width, int height, int size) {
  int x = get_global_id(0), y = get_global_id(1), r = (size - 1) / 2;
  float sum = 0;
  for (int i = max(0, x - r); i <= min(width - 1, x + r); i++)
    for (int j = max(0, y - r); j <= min(height - 1, y + r); j++)
      sum += in[j * width + i] * mask[(j - y + r) * size + i - x + r];
  out[y * width + x] = sum;
}
