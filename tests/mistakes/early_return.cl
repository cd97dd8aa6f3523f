// FIRST: barrier 13:3
// REMEDY: must not return before it
// LAUNCH: global=96 local=32 args: x=iota:i32:80 y=zeros:i32:80 n=80
// LAUNCH: global=96 local=32 options=-DMENDED args: x=iota:i32:80 y=zeros:i32:80 n=80
kernel void rotate_left(global const int *x, global int *y, int n) {
  local int part[32];
  int i = get_global_id(0), l = get_local_id(0);
#ifndef MENDED
  if (i >= n)
    return;
#endif
  part[l] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n)
    y[i] = part[(l + 1) % 16];
}
