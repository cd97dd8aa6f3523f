// FIRST: race 13:15 17:5
// REMEDY: put barrier(CLK_LOCAL_MEM_FENCE) between the lines 13 and 17
// LAUNCH: global=64 local=64 args: x=iota:i32:64 y=zeros:i32:64 steps=3
// LAUNCH: global=64 local=64 options=-DMENDED args: x=iota:i32:64 y=zeros:i32:64 steps=3
kernel void smooth(global const int *x, global int *y, int steps) {
  local int tile[66];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l + 1] = x[i];
  if (l == 0)
    tile[0] = tile[65] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 0; s < steps; ++s) {
    int sum = tile[l] + tile[l + 1] + tile[l + 2];
#ifdef MENDED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    tile[l + 1] = sum / 3;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[i] = tile[l + 1];
}
