// Barriers that no work-item reaches, loops that run zero times, and a kernel that ends in one.
// LAUNCH: global=16 local=4 args: x=rand:i32:16 y=zeros:i32:16 n=0
// LAUNCH: global=16 local=4 args: x=rand:i32:16 y=zeros:i32:16 n=2
kernel void unreached(global const int *x, global int *y, int n) {
  local int tile[4];
  int l = get_local_id(0), g = get_global_id(0), v = x[g];
  if (n > 100) {
    tile[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = tile[3 - l];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      tile[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v += tile[l ^ 1];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  if (0)
    barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[g] = v;
  barrier(CLK_GLOBAL_MEM_FENCE);
}
