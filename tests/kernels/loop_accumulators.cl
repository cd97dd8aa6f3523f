// Sums that a loop keeps in memory: in a buffer, in fields of a structure, in an outer loop too.
// LAUNCH: kernel=rows global=10x3 local=5x3 args: c=rand:f32:30 a=rand:f32:21 b=rand:f32:70 n=7
// LAUNCH: kernel=rows global=10x3 local=5x3 args: c=rand:f32:30 a=rand:f32:21 b=rand:f32:70 n=0
// LAUNCH: kernel=nested global=16 local=16 args: c=rand:i32:16 a=rand:i32:64 n=4 m=3
// LAUNCH: kernel=nested global=16 local=16 args: c=rand:i32:16 a=rand:i32:64 n=4 m=0
// LAUNCH: kernel=in_place global=8 local=4 args: c=rand:f32:16 n=8
kernel void rows(global float *c, global const float *a, global const float *b, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  for (int k = 0; k < n; k++)
    c[i * 10 + j] += a[i * n + k] * b[k * 10 + j];
}

kernel void nested(global int *c, global const int *a, int n, int m) {
  int i = get_global_id(0);
  for (int j = 0; j < n; j++) {
    c[i] ^= j;
    for (int k = 0; k < m; k++)
      c[i] += a[(i + j * k) & 63];
  }
}

// What is read lies in the buffer that is written.
kernel void in_place(global float *c, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    c[i] += c[8 + k];
}
