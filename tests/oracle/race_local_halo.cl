// The halo on the right is written by every work-item, not by the last one.
// EXPECT: race 8:3 9:3
// LAUNCH: kernel=bug global=16 local=8 args: x=perm:i32:17 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=perm:i32:17 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[9];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = x[i];
  tile[l + 1] = x[i] - 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l] + tile[l + 1];
}

kernel void clean(global const int *x, global int *y) {
  local int tile[9];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = x[i];
  if (l == 7)
    tile[l + 1] = x[i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l] + tile[l + 1];
}
