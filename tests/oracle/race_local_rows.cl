// A two-dimensional group writes a tile by column only.
// EXPECT: race 8:3 8:3
// LAUNCH: kernel=bug global=4x4 local=4x4 args: x=perm:i32:16 y=zeros:i32:16
// LAUNCH: kernel=clean global=4x4 local=4x4 args: x=perm:i32:16 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[4][4];
  int lx = get_local_id(0), ly = get_local_id(1);
  tile[0][lx] = x[ly * 4 + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[ly * 4 + lx] = tile[0][lx];
}

kernel void clean(global const int *x, global int *y) {
  local int tile[4][4];
  int lx = get_local_id(0), ly = get_local_id(1);
  tile[ly][lx] = x[ly * 4 + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[ly * 4 + lx] = tile[lx][ly];
}
