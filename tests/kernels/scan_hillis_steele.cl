// Inclusive prefix sum of a group in log2(n) steps, two barriers in each step.
// LAUNCH: global=64 local=16 args: x=rand:i32:64:-99:99 y=zeros:i32:64 tile=local:64
// LAUNCH: global=13 local=13 args: x=rand:i32:13:-99:99 y=zeros:i32:13 tile=local:52
// LAUNCH: global=3 local=1 args: x=rand:i32:3:-99:99 y=zeros:i32:3 tile=local:4
kernel void scan(global const int *x, global int *y, local int *tile) {
  int l = get_local_id(0), n = get_local_size(0);
  tile[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < n; d *= 2) {
    int add = l >= d ? tile[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = tile[l];
}
