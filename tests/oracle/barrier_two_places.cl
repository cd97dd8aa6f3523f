// Both sides of a branch have a barrier, but not the same one.
// EXPECT: barrier 13:5 10:5
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = x[i];
  if (l & 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = tile[l];
  } else {
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = -tile[l];
  }
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l & 1)
    y[i] = tile[l];
  else
    y[i] = -tile[l];
}
