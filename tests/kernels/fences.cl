// mem_fence, read_mem_fence and write_mem_fence order the accesses of one work-item.
// LAUNCH: global=16 local=4 args: x=rand:i32:16 y=zeros:i32:16
kernel void fences(global const int *x, global int *y) {
  local int tile[4];
  size_t g = get_global_id(0), l = get_local_id(0);
  tile[l] = x[g];
  mem_fence(CLK_LOCAL_MEM_FENCE);
  y[g] = tile[l] + 1;
  write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  y[g] += 2;
  read_mem_fence(CLK_GLOBAL_MEM_FENCE);
  y[g] *= 3;
  prefetch(x, 16);
}
