// Ids in few bits: they wrap.
kernel void f(global int *out, global const int *in, int n) {
  uchar c = get_global_id(0) * 7;
  char s = get_global_id(0) * 5;
  ushort u = get_global_id(0) - 3;
  int x = get_global_id(0);
  out[x] = in[c] + in[s + 128];
  if (u < n)
    out[x] += in[u];
}
