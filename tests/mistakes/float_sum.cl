// FIRST: race 7:3 7:3
// REMEDY: combine its values in local memory
// LAUNCH: global=64 local=16 args: x=iota:f32:64 total=zeros:f32:4
// LAUNCH: global=64 local=16 options=-DMENDED args: x=iota:f32:64 total=zeros:f32:4
kernel void sum(global const float *x, global float *total) {
#ifndef MENDED
  total[0] += x[get_global_id(0)];
#else
  local float part[16];
  part[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    float s = 0;
    for (int k = 0; k < 16; ++k)
      s += part[k];
    total[get_group_id(0)] = s;
  }
#endif
}
