// The second dimension is the one with neighbours in memory; offsets that are products.
kernel void f(global int *out, global const int *in, int width, int pitch) {
  int r = get_global_id(0), c = get_global_id(1);
  int sum = in[r * pitch + c];
  if (c + 1 < width)
    sum += in[r * pitch + c + 1];
  if (r > 0)
    sum += in[(r - 1) * pitch + max(c - 1, 0)];
  out[r * pitch + c] = sum;
}
