// Nobody waits for an asynchronous copy.
// EXPECT: async 10:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0);
  tile[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  async_work_group_copy(y + 8 * get_group_id(0), tile, 8, 0);
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0);
  tile[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t copy = async_work_group_copy(y + 8 * get_group_id(0), tile, 8, 0);
  wait_group_events(1, &copy);
}
