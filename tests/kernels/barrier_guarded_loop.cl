// Each work-item has its own trip count inside a loop with a barrier: the guard is divergent,
// the barrier is not.
// LAUNCH: global=32 local=8 args: lengths=rand:i32:32:0:6 x=rand:i32:32 y=zeros:i32:32
// LAUNCH: global=4 local=4 args: lengths=values:i32:0,0,0,0 x=rand:i32:4 y=zeros:i32:4
kernel void lists(global const int *lengths, global const int *x, global int *y) {
  local int tile[8];
  local int longest;
  int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  int mine = lengths[g], v = x[g];
  if (l == 0)
    longest = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&longest, mine);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < longest; ++i) {
    tile[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < mine) {
      int other = tile[(l + 1) % n];
      for (int k = 0; k < mine - i; ++k)
        v += (other + k) & 7;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[g] = v;
}
