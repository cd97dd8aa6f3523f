// The race is in a function that the kernel calls.
// EXPECT: race 8:3 9:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
int swapped_early(local int *tile, int value) {
  int l = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l ^ 1] = value;
  tile[l] += 1;
  return value;
}
int swapped(local int *tile, int value) {
  int l = get_local_id(0);
  tile[l ^ 1] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return tile[l];
}
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  y[get_local_id(0)] = swapped_early(tile, x[get_local_id(0)]);
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  y[get_local_id(0)] = swapped(tile, x[get_local_id(0)]);
}
