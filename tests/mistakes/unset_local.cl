// FIRST: uninitialised 13:3
// REMEDY: set local memory 'bins' first
// LAUNCH: global=64 local=32 args: x=iota:i32:64 y=zeros:i32:8
// LAUNCH: global=64 local=32 options=-DMENDED args: x=iota:i32:64 y=zeros:i32:8
kernel void histogram(global const int *x, global int *y) {
  local int bins[4];
  int i = get_global_id(0), l = get_local_id(0);
#ifdef MENDED
  if (l < 4)
    bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  atomic_inc(&bins[x[i] % 4]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4)
    y[get_group_id(0) * 4 + l] = bins[l];
}
