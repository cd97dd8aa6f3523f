// A fence orders what one work-item does; it makes nobody wait.
// EXPECT: race 10:3 12:10
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = x[i];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[7 - l];
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = x[i];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[l];
}
