// Four barriers in one loop, two buffers that change their roles.
// LAUNCH: global=48 local=12 args: x=rand:i32:48 y=zeros:i32:48 rounds=5
// LAUNCH: global=12 local=12 args: x=rand:i32:12 y=zeros:i32:12 rounds=1
kernel void ping_pong(global const int *x, global int *y, int rounds) {
  local int buffers[2][12];
  local int top;
  int l = get_local_id(0), n = 12;
  buffers[0][l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < rounds; ++i) {
    local int *from = buffers[i & 1];
    local int *to = buffers[(i + 1) & 1];
    to[l] = from[l] + from[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
      top = to[0];
      for (int k = 1; k < n; ++k)
        top = max(top, to[k]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int limit = top / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (to[l] > limit)
      to[l] -= limit;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = buffers[rounds & 1][l];
}
