// Private arrays in branches that work-items take differently: an element that surely exists may be
// written again by a work-item that does not take the branch, others may not be touched.
// LAUNCH: kernel=sorted global=48x2 local=16x2 args: in=rand:f32:1024 out=zeros:f32:96
// LAUNCH: kernel=sorted global=23x2 local=23x1 options="-DWRAP=8" args: in=edges:f32:8 out=zeros:f32:46
// LAUNCH: kernel=rows global=32 local=16 args: in=rand:i32:32:0:12 out=zeros:i32:32 n=5
// LAUNCH: kernel=rows global=32 local=32 args: in=rand:i32:32:0:12 out=zeros:i32:32 n=0
// LAUNCH: kernel=outside global=32 local=16 args: in=rand:i32:32:0:3 out=zeros:i32:32 n=200
// LAUNCH: kernel=outside global=20 local=20 args: in=rand:i32:20:0:3 out=zeros:i32:20 n=3
// LAUNCH: kernel=divided global=32 local=16 args: in=rand:i32:32:-2:2 out=zeros:i32:32

#ifndef WRAP
#define WRAP 1024
#endif

// The swap is under a mask; comparisons with NaN are false.
kernel void sorted(global const float *in, global float *out) {
  int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float v[7];
  for (int i = 0; i < 7; i++)
    v[i] = in[(at * 5 + i) % WRAP];
  for (int i = 0; i < 6; i++)
    for (int j = i + 1; j < 7; j++)
      if (v[j] < v[i]) {
        float t = v[i];
        v[i] = v[j];
        v[j] = t;
      }
  out[at] = v[0] * 4 + v[3] * 2 + v[6];
}

// Elements that only some work-items have written, in an array of arrays, and a downward loop.
kernel void rows(global const int *in, global int *out, int n) {
  int i = get_global_id(0), x = in[i], sum = 0;
  int a[3][4];
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 4; k++)
      if (x > 4 * j + k)
        a[j][k] = x * k - j;
  for (int k = 3; k >= 0; k--)
    if (x > 8 + k)
      a[2][k] += n;
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 4; k++)
      if (x > 4 * j + k)
        sum = sum * 3 + a[j][k];
  out[i] = sum;
}

// The loop goes beyond the array, where no work-item takes the branch.
kernel void outside(global const int *in, global int *out, int n) {
  int i = get_global_id(0), x = in[i];
  int a[4] = {0, 0, 0, 0};
  for (int k = -n; k < n; k++)
    if (k == x)
      a[k & 255] = k + 1;
  for (int k = -300; k < 300; k++)
    if (k == x)
      a[k] += 10;
  out[i] = a[0] + a[1] * 2 + a[2] * 3 + a[3] * 5;
}

// What is stored fails for the others.
kernel void divided(global const int *in, global int *out) {
  int i = get_global_id(0), x = in[i];
  int a[2] = {1, 2};
  for (int k = 0; k < 2; k++)
    if (x > 0)
      a[k] = 100 / x + a[k] % x;
  out[i] = a[0] + a[1];
}
