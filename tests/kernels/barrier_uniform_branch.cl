// Barriers in branches that all work-items of a group take alike: on an argument, on the group
// id, else-if chains, and branches inside branches.
// LAUNCH: global=96 local=16 args: x=rand:i32:96 y=zeros:i32:96 mode=0
// LAUNCH: global=96 local=16 args: x=rand:i32:96 y=zeros:i32:96 mode=1
// LAUNCH: global=96 local=16 args: x=rand:i32:96 y=zeros:i32:96 mode=2
kernel void branches(global const int *x, global int *y, int mode) {
  local int tile[16];
  int l = get_local_id(0), g = get_global_id(0);
  int v = x[g];
  if (mode == 0) {
    tile[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += tile[15 - l];
  } else if (mode == 1) {
    tile[15 - l] = v * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    v -= tile[l];
    if (get_group_id(0) % 2 == 0) {
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      v += tile[l ^ 1];
    } else {
      v = -v;
    }
  }
  if (get_group_id(0) > 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = v;
    if (mode != 0 && get_group_id(0) < 4) {
      barrier(CLK_LOCAL_MEM_FENCE);
      v = tile[(l + 5) & 15];
    }
    v += 1000;
  }
  y[g] = v;
}
