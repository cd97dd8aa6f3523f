// An atomic counter is read while others increase it.
// EXPECT: race 10:3 11:25
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int count;
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&count, x[get_global_id(0)]);
  y[get_global_id(0)] = count;
}

kernel void clean(global const int *x, global int *y) {
  local int count;
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = atomic_add(&count, x[get_global_id(0)]);
}
