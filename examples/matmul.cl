// c = a*b for n x n matrices, n a multiple of TILE: both factors go through local memory in
// tiles. `-DTILE=8` chooses another size; the work-group is TILE x TILE.
// LAUNCH: global=32x32 local=16x16 args: a=rand:f32:32x32:-1:1 b=rand:f32:32x32:-1:1 c=zeros:f32:32x32 n=32
// LAUNCH: global=12x12 local=4x4 options=-DTILE=4 args: a=rand:f32:12x12:-1:1 b=rand:f32:12x12:-1:1 c=zeros:f32:12x12 n=12

#ifndef TILE
#define TILE 16
#endif

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void matmul(global const float *a, global const float *b, global float *c, int n) {
  local float ta[TILE][TILE], tb[TILE][TILE];
  int x = get_global_id(0), y = get_global_id(1);
  int lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; k += TILE) {
    ta[ly][lx] = a[y * n + k + lx];
    tb[ly][lx] = b[(k + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i)
      sum += ta[ly][i] * tb[i][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
