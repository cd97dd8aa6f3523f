// LAUNCH: kernel=iterate global=1024 local=1024 args: x=rand:f32:65536 out=zeros:f32:65536 tile=local:4096 n=64
// LAUNCH: kernel=iterate global=65536 local=1024 args: x=rand:f32:65536 out=zeros:f32:65536 tile=local:4096 n=1
kernel void iterate(global const float *x, global float *out, local float *tile, int n) {  // explain: few-groups
  int l = get_local_id(0);
  for (int part = 0; part < n; part++) {
    int i = part * get_global_size(0) + get_global_id(0);
    float y = 0.0f;
    tile[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 1024; k++)
      y += fabs(tile[k] - tile[l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = y;
  }
}
