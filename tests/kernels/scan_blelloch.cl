// Exclusive prefix sum, up-sweep and down-sweep: two loops with a barrier at their start.
// LAUNCH: global=32 local=16 args: x=rand:u32:64 y=zeros:u32:64 sums=zeros:u32:2
// LAUNCH: global=2 local=2 args: x=rand:u32:4 y=zeros:u32:4 sums=zeros:u32:1
kernel void scan(global const uint *x, global uint *y, global uint *sums) {
  local uint tile[32];
  uint l = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n;
  tile[2 * l] = x[base + 2 * l];
  tile[2 * l + 1] = x[base + 2 * l + 1];
  uint offset = 1;
  for (uint d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      tile[offset * (2 * l + 2) - 1] += tile[offset * (2 * l + 1) - 1];
    offset *= 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    sums[get_group_id(0)] = tile[n - 1];
    tile[n - 1] = 0;
  }
  for (uint d = 1; d < n; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
      uint t = tile[a];
      tile[a] = tile[b];
      tile[b] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  y[base + 2 * l] = tile[2 * l];
  y[base + 2 * l + 1] = tile[2 * l + 1];
}
