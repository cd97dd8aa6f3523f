// The target of an asynchronous copy is read before it has been waited for.
// EXPECT: async 9:11 8:18
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0);
  event_t copy = async_work_group_copy(tile, x + 8 * get_group_id(0), 8, 0);
  int v = tile[l];
  wait_group_events(1, &copy);
  y[get_global_id(0)] = v;
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0);
  event_t copy = async_work_group_copy(tile, x + 8 * get_group_id(0), 8, 0);
  wait_group_events(1, &copy);
  int v = tile[l];
  y[get_global_id(0)] = v;
}
