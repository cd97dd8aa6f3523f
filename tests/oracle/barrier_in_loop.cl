// A loop with a barrier that runs as often as the work-item's id says.
// EXPECT: barrier 8:5
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < get_local_id(0); ++j) {
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += x[j];
  }
  y[i] = sum;
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0), sum = 0;
  for (int j = 0; j < get_local_size(0); ++j) {
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += j < get_local_id(0) ? x[j] : 0;
  }
  y[i] = sum;
}
