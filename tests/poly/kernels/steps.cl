// Loops with steps, from the id and down to it.
kernel void f(global int *out, global const int *in, int n, int s) {
  int x = get_global_id(0);
  int sum = 0;
  for (int k = x; k < n; k += s)
    sum += in[k];
  for (int k = n - 1; k > x; k -= 2)
    sum = sum * 3 + in[k];
  for (int k = x - 5; k < x; ++k)
    if (k >= 0)
      sum ^= in[k];
  out[x] = sum;
}
