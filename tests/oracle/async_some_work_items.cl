// Only some work-items start an asynchronous copy.
// EXPECT: async 10:12
// EXPECT: async 11:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  event_t copy = 0;
  if (get_local_id(0) < 4)
    copy = async_work_group_copy(tile, x + 8 * get_group_id(0), 8, 0);
  wait_group_events(1, &copy);
  y[get_global_id(0)] = tile[get_local_id(0)];
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  event_t copy = 0;
  if (get_group_id(0) < 4)
    copy = async_work_group_copy(tile, x + 8 * get_group_id(0), 8, 0);
  wait_group_events(1, &copy);
  y[get_global_id(0)] = tile[get_local_id(0)];
}
