// Guards and loops in each other, over both dimensions.
kernel void f(global int *out, global const int *in, int w, int h, int r) {
  int x = get_global_id(0), y = get_global_id(1);
  int v = 0;
  if (x + y < w) {
    for (int j = y; j <= min(y + r, h - 1); ++j) {
      if (x < j)
        v += in[j * w + x];
      for (int i = max(x - j, 0); i < w - y; i += 2)
        if (i != x)
          v = v * 3 + in[i + j];
    }
    if (x >= r)
      v += in[x - r];
  } else if (x - y > r || y - x > r) {
    v = in[abs(x - y)];
  }
  out[y * (int)(get_global_size(0) + get_global_offset(0)) + x] = v;
}
