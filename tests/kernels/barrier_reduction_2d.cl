// Two-dimensional reductions in one group: rows first, then the column of their sums; the ids are
// flattened and taken apart again.
// LAUNCH: global=16x8 local=8x4 args: x=rand:i32:8x16:-99:99 rows=zeros:i32:2x2x4 total=zeros:i32:2x2
// LAUNCH: global=8x1 local=8x1 args: x=rand:i32:1x8:-99:99 rows=zeros:i32:1 total=zeros:i32:1
kernel void reduce(global const int *x, global int *rows, global int *total) {
  local int tile[32];
  uint nx = get_local_size(0), ny = get_local_size(1);
  uint flat = get_local_id(1) * nx + get_local_id(0);
  uint group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
  tile[flat] = x[get_global_id(1) * get_global_size(0) + get_global_id(0)];
  for (uint s = nx / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flat % nx < s)
      tile[flat] += tile[flat + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (flat < ny)
    rows[group * ny + flat] = tile[flat * nx];
  for (uint s = ny / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flat / nx < s && flat % nx == 0)
      tile[flat] += tile[flat + s * nx];
  }
  if (flat == 0)
    total[group] = tile[0];
}
