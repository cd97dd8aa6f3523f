// The whole group leaves a loop by break or goes on by continue, between its barriers.
// LAUNCH: global=32 local=16 args: x=rand:i32:32 y=zeros:i32:32 stop=5 skip=2
// LAUNCH: global=32 local=16 args: x=rand:i32:32 y=zeros:i32:32 stop=0 skip=0
// LAUNCH: global=16 local=16 args: x=rand:i32:16 y=zeros:i32:16 stop=100 skip=1
kernel void leave(global const int *x, global int *y, int stop, int skip) {
  local int tile[16];
  int l = get_local_id(0), v = x[get_global_id(0)];
  int i;
  for (i = 0; i < 8; ++i) {
    if (i == skip)
      continue;
    tile[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = tile[(l + i + 1) & 15] + i;
    if (i >= stop)
      break;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((next & 1) && i > 3)
      next++;
    v = next;
  }
  y[get_global_id(0)] = v * 16 + i;
}
