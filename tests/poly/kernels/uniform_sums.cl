// Sums of arguments that wrap before a work-item sees them.
kernel void f(global int *out, global const int *in, uint n, uint m) {
  int x = get_global_id(0);
  uint last = n - 1, both = n + m, twice = n * 2, less = n - m;
  int v = 0;
  if (x > (int)last)
    v += 1;
  if (x < (int)both)
    v += 2;
  if (x < (int)twice + 3)
    v += 4;
  if ((uint)x < less)
    v += 8;
  if ((long)x < (long)last - 2)
    v += 16;
  for (int k = x; k < min((int)both, 40); ++k)
    v = v * 3 + in[k];
  for (uint k = min(less, 40u); k < (uint)x; ++k)
    v ^= in[k & 63];
  out[x] = v + in[min((uint)x + less, 63u)];
}
