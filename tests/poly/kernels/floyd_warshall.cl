kernel void f(global int *out, global const int *d, int n, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < n)
    out[y * n + x] = min(d[y * n + x], d[y * n + k] + d[k * n + x]);
}
