// Loops that end when an unsigned counter wraps, and when a break says so.
kernel void f(global int *out, global const int *in, uint n) {
  int x = get_global_id(0);
  int v = 0;
  for (uint k = n - 1; k < n; --k)
    v = v * 3 + in[k];
  for (int k = 0; k < 20; ++k) {
    if (k > x)
      break;
    v += in[k];
    if (k == 7)
      continue;
    v ^= in[x - k];
  }
  for (int k = (int)n, j = x; k > j; --k, ++j)
    v += in[k - j];
  out[x] = v;
}
