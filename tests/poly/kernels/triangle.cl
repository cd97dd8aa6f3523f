// As many iterations as the id.
kernel void f(global int *out, global const int *in, int n) {
  int x = get_global_id(0);
  int sum = 0;
  for (int k = 0; k <= x; ++k)
    if (k < n)
      sum += in[k];
  for (int k = x; k < n; ++k)
    sum -= in[k * n + x];
  out[x] = sum;
}
