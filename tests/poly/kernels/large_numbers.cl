// Unsigned numbers that are negative where they are read as signed ones.
kernel void f(global int *out, global const int *in, ulong n, uint m) {
  size_t x = get_global_id(0);
  int v = 0;
  if (x < 0xfffffffffffffffdul)
    v = in[x];
  if (n > 0xfffffffffffffff0ul || x - 3 > 0xfffffffffffffff0ul)
    v += 1000;
  if ((uint)x - m < 0xfffffff0u)
    v += 3;
  out[x] = v + (x < (size_t)-3 ? in[0] : 2);
}
