// LAUNCH: kernel=slow global=1048576 local=256 args: x=rand:f32:1048576 count=zeros:i32:1
// LAUNCH: kernel=advised global=1048576 local=256 args: x=rand:f32:1048576 count=zeros:i32:1
kernel void slow(global const float *x, global int *count) {
  if (x[get_global_id(0)] > 0.5f)
    atomic_add(count, 1);  // explain: one-atomic
}

kernel void advised(global const float *x, global int *count) {
  local int own;
  if (get_local_id(0) == 0)
    own = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x[get_global_id(0)] > 0.5f)
    atomic_add(&own, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_add(count, own);
}
