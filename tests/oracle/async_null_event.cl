// The work-items wait for an event that no copy gave them.
// EXPECT: async 9:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16 n=0
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16 n=0
kernel void bug(global const int *x, global int *y, int n) {
  local int tile[8];
  event_t copy = 0;
  y[get_global_id(0)] = n;
  wait_group_events(1, &copy);
}

kernel void clean(global const int *x, global int *y, int n) {
  local int tile[8];
  event_t copy = 0;
  if (n == 0)
    copy = async_work_group_copy(tile, x + 8 * get_group_id(0), 8, copy);
  wait_group_events(1, &copy);
  y[get_global_id(0)] = n;
}
