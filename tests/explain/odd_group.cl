// LAUNCH: kernel=mean global=1048320 local=9 args: x=rand:f32:1048320 out=zeros:f32:1048320 tile=local:36
// LAUNCH: kernel=mean global=1048320 local=144 args: x=rand:f32:1048320 out=zeros:f32:1048320 tile=local:576
kernel void mean(global const float *x, global float *out, local float *tile) {  // explain: odd-groups
  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 0.5f * (tile[l] + tile[n - 1 - l]);
}
