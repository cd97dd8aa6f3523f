// Three dimensions.
kernel void f(global int *out, global const int *in, int w, int h, int d) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x >= w || y >= h || z >= d)
    return;
  int at = (z * h + y) * w + x;
  int sum = in[at];
  if (x > 0 && x < w - 1)
    sum += in[at - 1] - in[at + 1];
  if (z > 0)
    sum += in[at - w * h];
  out[at] = sum + in[(min(z + 1, d - 1) * h + y) * w + x];
}
