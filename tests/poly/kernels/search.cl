// A loop that ends by what it reads.
kernel void f(global int *out, global const int *a, int n, int what) {
  int x = get_global_id(0);
  int k = max(x - 4, 0);
  while (k < n) {
    if (a[k] == what)
      break;
    ++k;
  }
  out[x] = k + a[max(x - 1, 0)];
}
