// FIRST: race 11:7 11:18
// REMEDY: put barrier(CLK_LOCAL_MEM_FENCE) at the end of the body of the loop in line 9
// LAUNCH: global=128 local=64 args: x=iota:i32:128 y=zeros:i32:2
// LAUNCH: global=128 local=64 options=-DMENDED args: x=iota:i32:128 y=zeros:i32:2
kernel void sum(global const int *x, global int *y) {
  local int part[64];
  int i = get_global_id(0), l = get_local_id(0);
  part[l] = x[i]; barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s /= 2) {
    if (l < s)
      part[l] += part[l + s];
#ifdef MENDED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  if (l == 0)
    y[get_group_id(0)] = part[0];
}
