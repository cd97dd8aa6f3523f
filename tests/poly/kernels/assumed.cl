// What every launch satisfies: no work-item is outside, and the border is small.
__attribute__((annotate("assume: global_size0 <= width and 1 <= r <= 4 and m >= width + 2*r")))
__attribute__((annotate("assume: pitch % 8 = 0 and pitch >= 8")))
kernel void f(global int *out, global const int *in, int width, int r, uint m, int pitch) {
  int x = get_global_id(0);
  int v = 0;
  if (x < width)
    v += in[max(x - r, 0)];
  if ((uint)(x + 2 * r) < m)
    v += in[x + 2 * r] * 3;
  if (x % 8 < pitch)
    v += in[x % 8 + pitch - 8] * 5;
  if (x < (int)m)
    v += 7;
  for (int k = 0; k < r; ++k)
    v = v * 3 + in[min(x + k, width - 1)];
  out[x] = v;
}
