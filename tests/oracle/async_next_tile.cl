// The next copy overwrites a tile that others still read.
// EXPECT: race 10:20 12:12
// EXPECT: async 12:12 10:20
// LAUNCH: kernel=bug global=8 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=8 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0), sum = 0;
  for (int t = 0; t < 2; ++t) {
    event_t copy = async_work_group_copy(tile, x + 8 * t, 8, 0);
    wait_group_events(1, &copy);
    sum += tile[7 - l];
  }
  y[l] = sum;
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0), sum = 0;
  for (int t = 0; t < 2; ++t) {
    event_t copy = async_work_group_copy(tile, x + 8 * t, 8, 0);
    wait_group_events(1, &copy);
    sum += tile[7 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[l] = sum;
}
