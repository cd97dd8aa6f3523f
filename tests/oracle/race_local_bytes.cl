// Two bytes are written where each work-item has one.
// EXPECT: race 8:3 8:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  local uchar tile[10];
  int l = get_local_id(0);
  vstore2((uchar2)(x[l], x[l] + 1), 0, tile + l);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[l] = tile[l];
}

kernel void clean(global const int *x, global int *y) {
  local uchar tile[10];
  int l = get_local_id(0);
  tile[l] = x[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[l] = tile[l] + tile[7 - l];
}
