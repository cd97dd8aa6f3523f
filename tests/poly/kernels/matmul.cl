kernel void f(global float *c, global const float *a, global const float *b, int w, int h, int depth) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int k = 0; k < depth; ++k)
    sum += a[y * depth + k] * b[k * w + x];
  c[y * w + x] = sum;
}
