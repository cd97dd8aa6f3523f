// Variables that get their value on one path before a barrier and are read on that path after it.
// LAUNCH: global=32 local=8 args: x=rand:i32:32 y=zeros:i32:32
kernel void paths(global const int *x, global int *y) {
  local int tile[8];
  int l = get_local_id(0), g = get_global_id(0), odd, even;
  float half_way;
  int own[4];
  if (l & 1) {
    odd = x[g] * 3;
    half_way = x[g] * 0.5f;
  } else {
    even = x[g] + 5;
    own[l & 3] = even;
  }
  tile[l] = x[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  int v = l & 1 ? odd + (int)half_way : even + own[l & 3];
  for (int i = 0; i < 3; ++i) {
    int first;
    if (i == 0)
      first = v;
    else
      first = tile[(l + i) & 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    v += first;
  }
  y[g] = v;
}
