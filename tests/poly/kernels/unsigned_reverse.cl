// In bounds only because it wraps: start - x, written as a sum.
kernel void f(global int *out, global const int *in, uint start, uint minus) {
  uint x = get_global_id(0);
  if (x <= start)
    out[x] = in[start + x * minus];
}
