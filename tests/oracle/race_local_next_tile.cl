// The next tile is written while others still read this one.
// EXPECT: race 12:14 9:5
// LAUNCH: kernel=bug global=8 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=8 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0), sum = 0;
  for (int t = 0; t < 2; ++t) {
    tile[l] = x[t * 8 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; ++j)
      sum += tile[j];
  }
  y[l] = sum;
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0), sum = 0;
  for (int t = 0; t < 2; ++t) {
    tile[l] = x[t * 8 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; ++j)
      sum += tile[j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[l] = sum;
}
