// LAUNCH: kernel=smooth global=1048576 local=4 args: x=rand:f32:1048576 out=zeros:f32:1048576 tile=local:16
// LAUNCH: kernel=smooth global=1048576 local=256 args: x=rand:f32:1048576 out=zeros:f32:1048576 tile=local:1024
kernel void smooth(global const float *x, global float *out, local float *tile) {  // explain: small-groups
  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 0.5f * (tile[l] + tile[n - 1 - l]);
}
