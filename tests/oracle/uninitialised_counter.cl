// An atomic counter in local memory that nobody clears.
// EXPECT: uninitialised 7:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  local int count;
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = count + x[0];
}

kernel void clean(global const int *x, global int *y) {
  local int count;
  atomic_xchg(&count, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = count + x[0];
}
