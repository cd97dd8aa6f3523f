// Work-items of a group exchange values in global memory over a local fence.
// EXPECT: race 9:15 7:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = y[i ^ 1];
  barrier(CLK_GLOBAL_MEM_FENCE);
  y[i] = other;
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  int other = y[i ^ 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = other;
}
