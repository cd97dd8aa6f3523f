__kernel void foo(__global float *a, __global const float *b) {
  int x = get_local_id(0);
  a[x] = b[max(5, x)];
}
__kernel void replicate(__global float *a, __global const float *b, int width) {
  int x = get_local_id(0), y = get_local_id(1);
  a[y * width + x] = b[y];
}
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int k, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}
__kernel void transpose(__global const float *in, __global float *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}
__kernel void fan2(__global float *a, __global const float *m, int size, int t) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < size - 1 - t && y < size - t)
    a[(x + 1 + t) * size + (y + t)] -= m[(x + 1 + t) * size + t] * a[t * size + (y + t)];
}
__kernel void floyd(__global int *d, int width, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  d[y * width + x] = min(d[y * width + x], d[y * width + k] + d[k * width + x]);
}
__kernel void conv2d(__global const float *input, __global const float *mask, __global float *output,
                     int width, int height, int vs, int hs, int maskWidth) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = max(0, x - vs), right = min(width - 1, x + vs);
  int top = max(0, y - hs), bottom = min(height - 1, y + hs);
  float sum = 0;
  for (int i = top; i <= bottom; i++)
    for (int j = left; j <= right; j++)
      sum += input[i * width + j] * mask[(i - (y - hs)) * maskWidth + (j - (x - vs))];
  output[y * width + x] = sum;
}
// Neither is affine: what is read, and what is read where, only memory says.
__kernel void shuffle(__global float *a, __global const int *at) {
  int x = at[at[get_local_id(0)]];
  a[at[x]] = a[x];
}
__kernel void compare(__global uint *a, __global const int *at) {
  int x = at[at[get_local_id(0)]];
  uint one = a[at[x]], other = a[x];
  if (one > other) a[x] = one - other;
}
__kernel void halves(__global float *a, __global const float *b) {
  int x = get_local_id(0);
  a[3 * x] = b[x / 2];
}
__kernel void newton(__global float *a, __global const int *at) {
  int x = at[at[get_local_id(0)]];
  float number = a[at[x]], root = 1;
  for (int i = 0; i < 20; i++) root = 0.5f * (root + number / root);
  a[x] = root;
}
