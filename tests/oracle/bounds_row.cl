// The right neighbour of the last element of a row is the first one of the next row.
// EXPECT: bounds 10:26
// LAUNCH: kernel=bug global=8x4 local=8x4 args: x=rand:i32:32:1:9 y=zeros:i32:32
// LAUNCH: kernel=clean global=8x4 local=8x4 args: x=rand:i32:32:1:9 y=zeros:i32:32
kernel void bug(global const int *x, global int *y) {
  local int tile[5][8];
  int i = get_local_id(0), j = get_local_id(1);
  tile[j][i] = x[8 * j + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[8 * j + i] = j < 3 ? tile[j][i + 1] : 0;
}

kernel void clean(global const int *x, global int *y) {
  local int tile[5][8];
  int i = get_local_id(0), j = get_local_id(1);
  tile[j][i] = x[8 * j + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  local int *all = &tile[0][0];
  y[8 * j + i] = all[8 * j + i] + (i < 7 ? tile[j][i + 1] : 0);
}
