kernel void f(global int *out, global const int *in, int n) {
  int x = get_global_id(0);
  int t[6];
  for (int k = 0; k < 6; ++k)
    t[k] = in[min(x + k, n - 1)];
  int v = 0;
  for (int k = x % 4; k < 6; ++k)
    v = v * 3 + t[k];
  out[x] = v + t[x & 3];
}
