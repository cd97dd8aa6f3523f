// An index from memory: nothing is known of it, but of the rest.
kernel void f(global int *out, global const int *a, global const int *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = a[b[i]] + b[max(i - 2, 0)];
}
