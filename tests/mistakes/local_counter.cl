// FIRST: race 13:5 13:5
// REMEDY: use atomic_add
// LAUNCH: global=64 local=32 args: x=iota:i32:64 y=zeros:i32:2
// LAUNCH: global=64 local=32 options=-DMENDED args: x=iota:i32:64 y=zeros:i32:2
kernel void count(global const int *x, global int *y) {
  local int found;
  int i = get_global_id(0), l = get_local_id(0);
  if (l == 0)
    found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifndef MENDED
  if (x[i] % 3 == 0)
    found++;
#else
  if (x[i] % 3 == 0)
    atomic_add(&found, 1);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    y[get_group_id(0)] = found;
}
