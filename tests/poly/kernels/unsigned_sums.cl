// Comparisons and bounds of sums that wrap.
kernel void f(global int *out, global const int *in, uint n, uint m) {
  uint x = get_global_id(0);
  int v = 0;
  if (x + n < m)
    v += 1;
  if (x * 3 - n > m)
    v += 10;
  if ((int)(x - n) < 0)
    v += 100;
  v += in[min(x - n, 63u)] * 3;
  v += in[((x + n) / 2) & 63] * 5;
  v += in[clamp(x - n, 3u, 60u)];
  v += in[max(x, n) - n < 64 ? max(x, n) - n : 0];
  out[x] = v + (int)abs_diff(x, n);
}
