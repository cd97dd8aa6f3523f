kernel void f(global int *out, global const int *a, int n) {
  int x = get_global_id(0);
  int i = x - 3;
  out[x] = a[x / 2] + a[x % 3] + a[(x * 3) / 4] + a[(x / 8) * 8];
  if (i / 2 < n && i % 4 != 1)
    out[x] += a[(i % 4) + 4];
}
