// Two barriers in a row of straight code; local memory as an argument; groups of 1, 3, 64.
// LAUNCH: global=192 local=64 args: x=rand:i32:192 y=zeros:i32:192 tile=local:256
// LAUNCH: global=9 local=3 args: x=rand:i32:9 y=zeros:i32:9 tile=local:12
// LAUNCH: global=4 local=1 args: x=rand:i32:4 y=zeros:i32:4 tile=local:4
kernel void reverse_in_group(global const int *x, global int *y, local int *tile) {
  size_t l = get_local_id(0), n = get_local_size(0);
  tile[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = tile[n - 1 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = other * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = tile[(l + 1) % n] + other;
}
