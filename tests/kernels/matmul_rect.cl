// Tiled product of matrices that do not fill their tiles: guards, barriers in a counted loop.
// LAUNCH: global=8x8 local=4x4 args: a=rand:f32:7x5:-1:1 b=rand:f32:5x6:-1:1 c=zeros:f32:7x6 m=7 n=6 k=5
// LAUNCH: global=4x4 local=4x4 args: a=rand:f32:3x9:-1:1 b=rand:f32:9x2:-1:1 c=zeros:f32:3x2 m=3 n=2 k=9
#define T 4
kernel void matmul(global const float *a, global const float *b, global float *c, int m, int n,
                   int k) {
  local float ta[T][T], tb[T][T];
  int col = get_global_id(0), row = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0.0f;
  for (int t = 0; t < (k + T - 1) / T; ++t) {
    int ka = t * T + lx, kb = t * T + ly;
    ta[ly][lx] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    tb[ly][lx] = kb < k && col < n ? b[kb * n + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < T; ++i)
      sum += ta[ly][i] * tb[i][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}
