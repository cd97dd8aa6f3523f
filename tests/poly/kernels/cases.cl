kernel void f(global int *out, global const int *in, int n) {
  int x = get_global_id(0);
  switch (x - n) {
  case 0:
    out[x] = in[x];
    break;
  case 1:
  case 2:
    out[x] = in[0];
    break;
  default:
    if (x < n)
      out[x] = in[n - x];
  }
}
