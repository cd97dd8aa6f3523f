// Private arrays live across barriers, some indexed by values known at run time only.
// LAUNCH: global=16 local=8 args: x=rand:i32:128 y=zeros:i32:128
// LAUNCH: global=3 local=1 args: x=rand:i32:24 y=zeros:i32:24
kernel void sort_privately(global const int *x, global int *y) {
  local int tile[8];
  int mine[8], counts[2][3] = {{0}};
  int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  for (int i = 0; i < 8; ++i)
    mine[i] = x[g * 8 + i];
  tile[l] = mine[l & 7];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 1; i < 8; ++i) {
    int v = mine[i], j = i;
    for (; j > 0 && mine[j - 1] > v; --j)
      mine[j] = mine[j - 1];
    mine[j] = v;
    counts[v & 1][v % 3]++;
  }
  int other = tile[n - 1 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = mine[0];
  mine[other & 7] += counts[other & 1][other % 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 8; ++i)
    y[g * 8 + i] = mine[i] + 100 * tile[(l + i) % n];
}
