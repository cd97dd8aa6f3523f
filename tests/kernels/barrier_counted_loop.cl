// A barrier at the end of each step of a counted loop: a tree reduction.
// LAUNCH: global=256 local=64 args: x=rand:i32:256:-1000:1000 sums=zeros:i32:4 part=local:256
// LAUNCH: global=16 local=16 args: x=rand:i32:16:-1000:1000 sums=zeros:i32:1 part=local:64
// LAUNCH: global=5 local=1 args: x=rand:i32:5:-1000:1000 sums=zeros:i32:5 part=local:4
kernel void reduce(global const int *x, global int *sums, local int *part) {
  uint l = get_local_id(0);
  part[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = get_local_size(0) / 2; step > 0; step >>= 1) {
    if (l < step)
      part[l] += part[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    sums[get_group_id(0)] = part[0];
}
