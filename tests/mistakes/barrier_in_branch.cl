// FIRST: barrier 11:5
// REMEDY: take the barrier out of the branch in line 10
// LAUNCH: global=96 local=32 args: x=iota:i32:80 y=zeros:i32:3 n=80
// LAUNCH: global=96 local=32 options=-DMENDED args: x=iota:i32:80 y=zeros:i32:3 n=80
kernel void sum(global const int *x, global int *y, int n) {
  local int part[32];
  int i = get_global_id(0), l = get_local_id(0);
  part[l] = i < n ? x[i] : 0;
#ifndef MENDED
  if (i < n) {
    barrier(CLK_LOCAL_MEM_FENCE);
#else
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) {
#endif
    if (l == 0) {
      int s = 0;
      for (int k = 0; k < 32; ++k)
        s += part[k];
      y[get_group_id(0)] = s;
    }
  }
}
