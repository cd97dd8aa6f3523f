// Branches by arguments around and inside of others.
kernel void f(global int *out, global const int *in, int n, int mode) {
  int x = get_global_id(0);
  int v = 0;
  if (mode > 3) {
    if (x < n)
      v = in[x];
  } else if (mode > x) {
    v = in[n - 1];
  }
  for (int k = 0; k < mode; ++k)
    if ((x + k) % 2 == 0)
      v += in[min(x, n - 1)] + k;
    else if (k > 2)
      break;
  out[x] = v;
}
