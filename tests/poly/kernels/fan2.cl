// A step of Gaussian elimination: rows along the first dimension.
kernel void f(global float *a, global float *b, global const float *m, int size, int t) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= size - 1 - t)
    return;
  if (y >= size - t)
    return;
  a[size * (x + 1 + t) + (y + t)] -= m[size * (x + 1 + t) + t] * a[size * t + (y + t)];
  if (y == 0)
    b[x + 1 + t] -= m[size * (x + 1 + t) + (y + t)] * b[t];
}
