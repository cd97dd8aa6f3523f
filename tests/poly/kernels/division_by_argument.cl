// Quotients by what is not known, as of an index in two dimensions.
kernel void f(global int *out, global const int *in, int width, uint pitch) {
  int i = get_global_id(0);
  int y = i / width, x = i % width;
  uint q = (uint)i / pitch, r = (uint)i % pitch;
  int v = in[y] + in[x];
  if (x > 0 && x < width - 1)
    v += in[i - 1] - in[i + 1];
  if (r != 0)
    v += in[q + r];
  out[i] = v + i / -3 + i % -5 + (i - 7) / 4;
}
