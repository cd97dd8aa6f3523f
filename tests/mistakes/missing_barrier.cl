// FIRST: race 8:3 12:10
// REMEDY: put barrier(CLK_LOCAL_MEM_FENCE) between the lines 8 and 12
// LAUNCH: global=128 local=64 args: x=iota:i32:128 y=zeros:i32:128
// LAUNCH: global=128 local=64 options=-DMENDED args: x=iota:i32:128 y=zeros:i32:128
kernel void reverse(global const int *x, global int *y) {
  local int tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = x[i];
#ifdef MENDED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  y[i] = tile[63 - l];
}
