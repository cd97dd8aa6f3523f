// LAUNCH: kernel=mean global=1081344 local=33 args: x=rand:f32:1081344 out=zeros:f32:1081344 tile=local:132
// LAUNCH: kernel=mean global=1081344 local=176 args: x=rand:f32:1081344 out=zeros:f32:1081344 tile=local:704
kernel void mean(global const float *x, global float *out, local float *tile) {  // explain: odd-groups
  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 0.5f * (tile[l] + tile[n - 1 - l]);
}
