kernel void f(global int *out, global const int *in, int n) {
  int x = get_global_id(0);
  int v = in[x << 1] + in[x >> 1] + in[x & ~7] + in[x | 1] + in[x ^ 1];
  v += in[max(n >> 1, 0)] + in[(uint)(x - n) >> 28];
  if ((x & 4) && x - n << 1 > 6)
    v -= in[x - (x & 3)];
  out[x] = v;
}
