// Divergent branches right after and right before barriers, joining again in between.
// LAUNCH: global=32 local=16 args: x=rand:i32:32 y=zeros:i32:32
// LAUNCH: global=16 local=2 args: x=rand:i32:16 y=zeros:i32:16
kernel void diverge(global const int *x, global int *y) {
  local int first[16], second[16];
  int l = get_local_id(0), n = get_local_size(0), v = x[get_global_id(0)], w;
  first[l] = v;
  second[l] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l & 1) {
    w = first[l - 1];
    if (v > 50)
      w += 7;
    else
      v = 3;
  } else {
    w = v * 2;
  }
  v += w;
  if (v % 3 == 0)
    second[l] = first[l] + w;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (v % 3 == 0)
    w -= second[n - 1 - l];
  else if (v % 3 == 1)
    w = second[0];
  y[get_global_id(0)] = v * 1000 + w;
}
