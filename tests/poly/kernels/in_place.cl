// The two buffers may be one; every work-item has its own elements.
kernel void f(global int *a, global int *b, int n) {
  int x = get_global_id(0);
  if (x < n)
    a[2 * x] = b[2 * x + 1] + 1;
  b[2 * x + 1] += a[2 * x] * 3;
  if (x >= n - 4)
    a[2 * x] -= b[2 * x + 1];
}
