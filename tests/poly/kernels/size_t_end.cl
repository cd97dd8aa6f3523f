// n - 1 wraps for an empty array: then all pass.
kernel void f(global int *out, global const int *in, ulong n, uint m) {
  size_t i = get_global_id(0);
  if (i < n - 1)
    out[i] = in[i];
  if (i <= m - 1)
    out[i] += 5;
}
