// Conditions that are equal for the group although no compiler can prove it: they come from
// local memory. A path length spreads until nothing changes.
// LAUNCH: global=32 local=16 args: weight=rand:i32:256:1:20 length=zeros:i32:32 rounds=zeros:i32:2
// LAUNCH: global=8 local=8 args: weight=rand:i32:64:1:9 length=zeros:i32:8 rounds=zeros:i32:1
kernel void shortest_path(global const int *weight, global int *length, global int *rounds) {
  local int now[16];
  local int changed;
  int l = get_local_id(0), n = get_local_size(0), count = 0;
  now[l] = l == 0 ? (int)get_group_id(0) : 1000000;
  if (l == 0)
    changed = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  while (changed) {
    int best = now[l];
    for (int k = 0; k < n; ++k)
      best = min(best, now[k] + weight[k * n + l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
      changed = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (best < now[l]) {
      now[l] = best;
      atomic_or(&changed, 1);
    }
    count++;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  length[get_global_id(0)] = now[l];
  if (l == 0)
    rounds[get_group_id(0)] = count;
}
