// All shortest paths of one graph by one group: barriers in a loop over one dimension, 2-D ids.
// LAUNCH: global=8x8 local=8x8 args: dist=rand:i32:8x8:1:40
kernel void paths(global int *dist) {
  local int d[8][8];
  int x = get_local_id(0), y = get_local_id(1);
  d[y][x] = x == y ? 0 : dist[y * 8 + x];
  for (int k = 0; k < 8; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int through = d[y][k] + d[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (through < d[y][x])
      d[y][x] = through;
  }
  dist[y * 8 + x] = d[y][x];
}
