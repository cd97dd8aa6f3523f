kernel void f(global int *out, global const int *in, int n) {
  int x = get_global_id(0);
  int4 v = vload4(x, in);
  int2 w = vload2(0, in + max(x - 2, 0));
  if (x < n)
    v = v.yxwz + (int4)(w, w.yx);
  if (2 * x < n)
    vstore4(v, x, out);
  else
    vstore3(v.xyz, 0, out + 4 * x);
}
