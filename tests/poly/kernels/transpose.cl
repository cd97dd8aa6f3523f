kernel void f(global int *out, global const int *in, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}
