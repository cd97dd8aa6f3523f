// Some work-items leave in the middle of a loop, or before it.
kernel void f(global int *out, global const int *in, int n, int m) {
  int x = get_global_id(0);
  out[x] = -1;
  if (x == m)
    return;
  for (int k = 0; k < n; ++k) {
    if (k * 2 > x)
      return;
    out[x] = in[x] + k;
  }
  out[x] += in[min(n, x)];
}
