// A tile without room for its halo.
// EXPECT: bounds 10:5
// LAUNCH: kernel=bug global=16 local=8 args: x=perm:i32:17 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=perm:i32:17 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = x[i];
  if (l == 7)
    tile[8] = x[i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l];
}

kernel void clean(global const int *x, global int *y) {
  local int tile[9];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = x[i];
  if (l == 7)
    tile[8] = x[i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l];
}
