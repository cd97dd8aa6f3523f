// The sum of each work-group's elements: a tree in local memory, a barrier in its loop.
// The local size is a power of two.
// LAUNCH: global=1024 local=256 args: in=rand:f32:1024 out=zeros:f32:4 tile=local:1024
// LAUNCH: global=32 local=16 args: in=rand:f32:32 out=zeros:f32:2 tile=local:64

kernel void reduce(global const float *in, global float *out, local float *tile) {
  int lid = get_local_id(0);
  tile[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (lid < s)
      tile[lid] += tile[lid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0)
    out[get_group_id(0)] = tile[0];
}
