// Work-items return in front of a barrier.
// EXPECT: barrier 11:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  int i = get_global_id(0), l = get_local_id(0);
  if (i >= 13)
    return;
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l];
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  int i = get_global_id(0), l = get_local_id(0);
  if (i < 13)
    tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 13)
    y[i] = tile[l];
}
