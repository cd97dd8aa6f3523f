// Only the inside of a tile is filled.
// EXPECT: uninitialised 10:3 10:10
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[10];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l + 1] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l] + tile[l + 1];
}

kernel void clean(global const int *x, global int *y) {
  local int tile[10];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l + 1] = x[i];
  if (l == 0)
    tile[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l] + tile[l + 1];
}
