// A group reads what another one writes; a barrier is of no help there.
// EXPECT: race 11:20 8:5
// LAUNCH: kernel=bug global=16 local=4 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=4 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  int group = get_group_id(0), l = get_local_id(0);
  if (l == 0)
    y[group] = x[group];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 1 && group > 0)
    y[8 + group] = y[group - 1];
}

kernel void clean(global const int *x, global int *y) {
  int group = get_group_id(0), l = get_local_id(0);
  if (l == 0)
    y[group] = x[group];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 1 && group > 0)
    y[8 + group] = y[group];
}
