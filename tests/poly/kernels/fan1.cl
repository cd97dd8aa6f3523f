// The multipliers of a step of Gaussian elimination.
kernel void f(global float *m, global const float *a, int size, int t) {
  int x = get_global_id(0);
  if (x < size - 1 - t)
    m[size * (x + t + 1) + t] = a[size * (x + t + 1) + t] / a[size * t + t];
}
