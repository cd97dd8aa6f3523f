// Whole groups return before a barrier, between two barriers, and from inside a loop with a
// barrier.
// LAUNCH: global=64 local=16 args: x=rand:i32:64 y=full:i32:64:-1 groups=3 rounds=4
// LAUNCH: global=64 local=16 args: x=rand:i32:64 y=full:i32:64:-1 groups=0 rounds=4
// LAUNCH: global=64 local=16 args: x=rand:i32:64 y=full:i32:64:-1 groups=9 rounds=2
kernel void guarded(global const int *x, global int *y, int groups, int rounds) {
  local int tile[16];
  int l = get_local_id(0), g = get_global_id(0);
  if ((int)get_group_id(0) >= groups)
    return;
  tile[l] = x[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  int v = tile[l ^ 3];
  if (get_group_id(0) == 1) {
    y[g] = v;
    return;
  }
  for (int i = 0; i < rounds; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = v + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += tile[(l + i) & 15];
    if (i == 2) {
      y[g] = -v;
      return;
    }
  }
  y[g] = v;
}
