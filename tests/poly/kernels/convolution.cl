// [split16], Figure 2: every work-item is in the image, the mask may be larger than it.
kernel void f(global int *output, global const int *input, global const float *mask, int width,
              int height, int maskWidth, int maskHeight) {
  int x = get_global_id(0), y = get_global_id(1);
  int vstep = (maskWidth - 1) / 2, hstep = (maskHeight - 1) / 2;
  int left = max(0, x - vstep), right = min(width - 1, x + vstep);
  int top = max(0, y - hstep), bottom = min(height - 1, y + hstep);
  float sumFX = 0;
  for (int i = left; i <= right; ++i)
    for (int j = top; j <= bottom; ++j) {
      int maskIndex = (j - (y - hstep)) * maskWidth + (i - (x - vstep));
      int index = j * width + i;
      sumFX += input[index] * mask[maskIndex];
    }
  output[y * width + x] = (int)(sumFX + 0.5f);
}
