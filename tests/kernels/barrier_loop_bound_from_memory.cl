// The trip count of a loop with a barrier is read from a buffer: a different one for each group,
// the same for all work-items of a group.
// LAUNCH: global=64 local=16 args: trips=values:i32:3,0,1,6 x=rand:i32:64 y=zeros:i32:64
kernel void repeat(global const int *trips, global const int *x, global int *y) {
  local int tile[16];
  int l = get_local_id(0), v = x[get_global_id(0)];
  for (int i = 0; i < trips[get_group_id(0)]; ++i) {
    tile[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += tile[(l * 3 + i) & 15];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = v;
}
