// A counter of the group is increased without an atomic.
// EXPECT: race 11:5 11:5
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int count;
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x[get_global_id(0)] > 0)
    count++;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = count;
}

kernel void clean(global const int *x, global int *y) {
  local int count;
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x[get_global_id(0)] > 0)
    atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = count;
}
