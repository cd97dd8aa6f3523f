// x - lo wraps below lo.
kernel void f(global int *out, global const int *in, uint lo, uint count) {
  uint x = get_global_id(0);
  if (x - lo < count)
    out[x] = in[x - lo];
  else
    out[x] = x > lo ? 1 : 2;
}
