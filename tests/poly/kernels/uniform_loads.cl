// Arguments in memory: a bound, an offset and a stride, some of which the kernel changes.
kernel void f(global int *p, global int *out, global const int *in) {
  int x = get_global_id(0);
  int n = p[0], first = p[1], stride = p[2];
  int v = 0;
  if (x < n)
    v = in[first + x * stride];
  for (int k = first; k < n; ++k) {
    v += in[k + x];
    out[x] = v;
    v += p[3];
  }
  p[4 + x] = v;
  if (p[4 + x] > n)
    out[x] = in[p[1]];
}
