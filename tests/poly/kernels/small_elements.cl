kernel void f(global short *out, global const char *in, global const uchar *table, int s, int n) {
  int x = get_global_id(0);
  out[x] = in[clamp(x + s, 0, n - 1)] * table[x & 15];
}
