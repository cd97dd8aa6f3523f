// FIRST: race 12:14 9:5
// REMEDY: put barrier(CLK_LOCAL_MEM_FENCE) at the end of the body of the loop in line 8
// LAUNCH: global=64 local=16 args: x=iota:i32:256 y=zeros:i32:64
// LAUNCH: global=64 local=16 options=-DMENDED args: x=iota:i32:256 y=zeros:i32:64
kernel void tiles(global const int *x, global int *y) {
  local int tile[16];
  int l = get_local_id(0), sum = 0;
  for (int t = 0; t < 4; ++t) {
    tile[l] = x[t * 64 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += tile[k];
#ifdef MENDED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  y[get_global_id(0)] = sum;
}
