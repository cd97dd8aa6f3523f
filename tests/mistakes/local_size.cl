// FIRST: bounds 8:3
// REMEDY: as large as a work-group needs, which has 128 work-items
// LAUNCH: global=256 local=128 args: x=iota:i32:256 y=zeros:i32:256
// LAUNCH: global=256 local=64 options=-DMENDED args: x=iota:i32:256 y=zeros:i32:256
kernel void reverse(global const int *x, global int *y) {
  local int tile[64];
  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[n - 1 - l];
}
