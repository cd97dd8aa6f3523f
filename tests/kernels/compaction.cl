// The wanted elements of a group move to its front, in order: a scan in local memory between
// divergent writes.
// LAUNCH: global=48 local=16 args: x=rand:i32:48:-50:50 y=zeros:i32:48 kept=zeros:i32:3
kernel void keep_positive(global const int *x, global int *y, global int *kept) {
  local int before[17];
  int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  int v = x[g], wanted = v > 0;
  before[l + 1] = wanted;
  if (l == 0)
    before[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    for (int i = 1; i <= n; ++i)
      before[i] += before[i - 1];
    kept[get_group_id(0)] = before[n];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (wanted)
    y[get_group_id(0) * n + before[l]] = v;
}
