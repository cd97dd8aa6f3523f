// The sum of each work-group's part of x: a tree in local memory, a barrier in its loop.
// The local size is a power of two.
// LAUNCH: global=256 local=64 args: x=rand:f32:1024 sums=zeros:f32:4 n=1024
// LAUNCH: global=32 local=16 args: x=rand:f32:77 sums=zeros:f32:2 n=77

kernel void reduce(global const float *x, global float *sums, uint n) {
  local float part[256];
  uint l = get_local_id(0);
  float sum = 0.0f;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    sum += x[i];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (l < step)
      part[l] += part[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    sums[get_group_id(0)] = part[0];
}
