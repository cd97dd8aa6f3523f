// The last group sums up what the others left; nothing makes their writes visible.
// EXPECT: race 12:14 10:5
// EXPECT: race 12:21 10:5
// EXPECT: race 12:28 10:5
// LAUNCH: kernel=bug global=16 local=4 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=4 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  int group = get_group_id(0);
  if (get_local_id(0) == 0) {
    y[group] = x[group * 4] + x[group * 4 + 1];
    if (atomic_inc(&y[8]) == 3) {
      y[9] = y[0] + y[1] + y[2] + y[3];
    }
  }
}

kernel void clean(global const int *x, global int *y) {
  int group = get_group_id(0);
  if (get_local_id(0) == 0) {
    y[group] = x[group * 4] + x[group * 4 + 1];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(&y[8]) == 3) {
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      y[9] = y[0] + y[1] + y[2] + y[3];
    }
  }
}
