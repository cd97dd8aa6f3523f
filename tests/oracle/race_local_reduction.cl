// A tree reduction without a barrier between its steps.
// EXPECT: race 12:7 12:17
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int sum[8];
  int l = get_local_id(0);
  sum[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = 4; width > 0; width /= 2) {
    if (l < width)
      sum[l] += sum[l + width];
  }
  if (l == 0)
    y[get_group_id(0)] = sum[0];
}

kernel void clean(global const int *x, global int *y) {
  local int sum[8];
  int l = get_local_id(0);
  sum[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = 4; width > 0; width /= 2) {
    if (l < width)
      sum[l] += sum[l + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    y[get_group_id(0)] = sum[0];
}
