// FIRST: race 14:10 8:3
// REMEDY: the barrier in line 10 fences other memory: give it CLK_LOCAL_MEM_FENCE, too
// LAUNCH: global=64 local=64 args: x=iota:i32:64 y=zeros:i32:64
// LAUNCH: global=64 local=64 options=-DMENDED args: x=iota:i32:64 y=zeros:i32:64
kernel void neighbour(global const int *x, global int *y) {
  local int tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = x[i];
#ifndef MENDED
  barrier(CLK_GLOBAL_MEM_FENCE);
#else
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
#endif
  y[i] = tile[(l + 1) % 64];
}
