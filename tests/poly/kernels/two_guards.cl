// No work-item, some or all pass either of them.
kernel void f(global int *out, global const int *in, int lo, int hi) {
  int x = get_global_id(0);
  if (x >= lo)
    out[x] = in[x] * 3;
  else
    out[x] += 1;
  if (x < hi)
    out[x] += in[x / 2];
}
