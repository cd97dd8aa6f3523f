// Bounds of a loop from memory.
kernel void f(global int *out, global const int *start, global const int *a, int n) {
  int x = get_global_id(0);
  if (x >= n)
    return;
  int sum = 0;
  for (int k = start[x]; k < start[x + 1]; ++k)
    sum += a[k];
  out[x] = sum;
}
