// Groups that are inside of an array as a whole, and outside, where a guard has barriers behind it:
// before and between barriers, and in loops. tests/lowering/test_split_guards.py has groups
// that are partly outside, for which OpenCL does not define barriers.
// LAUNCH: global=12x12 local=4x4 kernel=tiled args: a=rand:f32:96 b=rand:f32:96 c=zeros:f32:64 m=8 n=8 k=12
// LAUNCH: global=32 local=8 kernel=between args: x=rand:i32:32 y=zeros:i32:32 n=24 m=17 rounds=3
kernel void tiled(global const float *a, global const float *b, global float *c, int m, uint n,
                  int k) {
  local float as[4][4], bs[4][4];
  int row = get_global_id(1), j = get_local_id(1), i = get_local_id(0);
  uint column = get_global_id(0);
  as[j][i] = bs[j][i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (row >= m) return;
  if (column >= n) return;
  float sum = 0;
  for (int t = 0; t < k; t += 4) {
    as[j][i] = a[row * k + t + i];
    bs[j][i] = b[(t + j) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int l = 0; l < 4; l++) sum += as[j][l] * bs[l][i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

kernel void between(global const int *x, global int *y, ulong n, long m, int rounds) {
  local int tile[8];
  size_t g = get_global_id(0);
  int l = get_local_id(0), v = 1;
  tile[l] = x[g];
  if (g + 1 > n) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  v += tile[l ^ 1];
  y[g] = v;
  for (int i = 0; i < rounds; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    // It fails in other groups in each iteration.
    if ((long)g - 8 * i < m - 1) {
      tile[l] = v + i;
      barrier(CLK_LOCAL_MEM_FENCE);
      v += tile[l ^ 2];
    } else {
      v -= i;
    }
  }
  y[g] = v;
}
