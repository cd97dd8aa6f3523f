// Barriers in the cases of a switch on a value that is equal for the group.
// LAUNCH: global=64 local=8 args: x=rand:i32:64 y=zeros:i32:64
kernel void cases(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0), v = x[get_global_id(0)];
  switch (get_group_id(0) % 5) {
  case 0:
    v += 1;
    break;
  case 1:
    tile[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = tile[7 - l];
    break;
  case 2:
    tile[l] = v * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += tile[l ^ 1];
    // falls through
  case 3:
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = v - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    v -= tile[(l + 1) & 7];
    break;
  default:
    v = -v;
  }
  y[get_global_id(0)] = v;
}
