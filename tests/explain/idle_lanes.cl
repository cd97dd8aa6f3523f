// The sums of groups. Advised: a tree instead of one work-item's loop.
// LAUNCH: kernel=slow global=1048576 local=256 args: x=rand:f32:1048576 sums=zeros:f32:4096
// LAUNCH: kernel=advised global=1048576 local=256 args: x=rand:f32:1048576 sums=zeros:f32:4096
kernel void slow(global const float *x, global float *sums) {
  local float tile[256];
  int l = get_local_id(0), n = get_local_size(0);
  tile[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {  // explain: idle-lanes
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
      sum += tile[k];
    sums[get_group_id(0)] = sum;
  }
}

kernel void advised(global const float *x, global float *sums) {
  local float tile[256];
  int l = get_local_id(0);
  tile[l] = x[get_global_id(0)];
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step)
      tile[l] += tile[l + step];
  }
  if (l == 0)
    sums[get_group_id(0)] = tile[0];
}
