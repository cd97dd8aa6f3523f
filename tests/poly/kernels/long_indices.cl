// 64-bit arguments, some far beyond 32 bits, and comparisons of mixed signs.
kernel void f(global int *out, global const int *in, long start, long end, uint un) {
  long x = get_global_id(0);
  if (x >= start && x < end)
    out[x] = in[x - start];
  int i = x;
  if (i - 2 < un)
    out[x] += in[i] + 1;
  if ((int)un > i)
    out[x] += 2;
}
