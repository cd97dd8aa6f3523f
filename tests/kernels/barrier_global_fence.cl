// A barrier with a fence on global memory: work-items of a group hand values over in a buffer.
// LAUNCH: global=32 local=8 args: x=rand:i32:32 work=zeros:i32:32 y=zeros:i32:32
kernel void hand_over(global const int *x, global int *work, global int *y) {
  size_t g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  size_t base = get_group_id(0) * n;
  work[g] = x[g] * x[g];
  barrier(CLK_GLOBAL_MEM_FENCE);
  int a = work[base + (l + 1) % n];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  work[base + (n - 1 - l)] = a;
  barrier(CLK_GLOBAL_MEM_FENCE);
  y[g] = work[g] - a;
}
