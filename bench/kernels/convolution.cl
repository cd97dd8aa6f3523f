// A mask of any size, clamped to the picture by the bounds of the loops. ID is int or long.
__kernel void convolution(__global int *out, __global const int *in, __constant float *mask,
                          int w, int h, int mw, int mh) {
  ID x = get_global_id(0), y = get_global_id(1);
  ID vs = (mw - 1) / 2, hs = (mh - 1) / 2;
  ID left = max((ID)0, x - vs), right = min((ID)(w - 1), x + vs);
  ID top = max((ID)0, y - hs), bottom = min((ID)(h - 1), y + hs);
  float sum = 0.0f;
  for (ID i = left; i <= right; ++i)
    for (ID j = top; j <= bottom; ++j)
      sum += in[j * w + i] * mask[(j - (y - hs)) * mw + (i - (x - vs))];
  out[y * w + x] = (int)(sum + 0.5f);
}
