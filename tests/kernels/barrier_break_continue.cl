// The whole group leaves a loop by break or goes on by continue, between its barriers.
// LAUNCH: kernel=leave global=32 local=16 args: x=rand:i32:32 y=zeros:i32:32 stop=5 skip=2
// LAUNCH: kernel=leave global=32 local=16 args: x=rand:i32:32 y=zeros:i32:32 stop=0 skip=0
// LAUNCH: kernel=leave global=16 local=16 args: x=rand:i32:16 y=zeros:i32:16 stop=100 skip=1
// LAUNCH: kernel=endless global=32 local=16 args: x=rand:i32:32 y=zeros:i32:32 n=5
// LAUNCH: kernel=endless global=32 local=16 args: x=rand:i32:32 y=zeros:i32:32 n=0
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

// The condition of an endless loop is what it begins with.
kernel void endless(global const int *x, global int *y, uint n) {
  local int tile[16];
  int l = get_local_id(0), v = x[get_global_id(0)], i = 0, calls = 0;
  for (;; i++) {
    if (i >= (int)n)
      break;
    else
      tile[l] = v + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += tile[15 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  while (true) {
    { if (calls++ * 0.5f > n) { break; } }
    if (calls == 3)
      continue;
    v ^= calls;
  }
  y[get_global_id(0)] = v * 16 + i + calls;
}
