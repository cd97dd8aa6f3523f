// Indices that are products of counters, ids and arguments.
kernel void f(global int *out, global const int *in, int s, int o, int n) {
  int x = get_global_id(0);
  int v = in[x * s + o];
  int w = s + 2;
  for (int k = 0; k < n; ++k) {
    v += in[k * k + x] + in[k * w + x] * 3 + in[x * k];
    w += 1;
  }
  for (int k = 0; k < s; ++k)
    v -= in[(x + k) * 2 + k * s];
  out[x] = v;
}
