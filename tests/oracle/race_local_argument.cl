// Local memory that is passed in, and a missing barrier after the scan's step.
// EXPECT: race 10:30 11:5
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8 tile=local:32
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8 tile=local:32
kernel void bug(global const int *x, global int *y, local int *tile) {
  int l = get_local_id(0);
  tile[l] = x[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 8; step *= 2) {
    int before = l >= step ? tile[l - step] : 0;
    tile[l] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[l] = tile[l];
}

kernel void clean(global const int *x, global int *y, local int *tile) {
  int l = get_local_id(0);
  tile[l] = x[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 8; step *= 2) {
    int before = l >= step ? tile[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[l] = tile[l];
}
