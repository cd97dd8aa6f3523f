// Each row of the group is summed by its first work-item.
kernel void f(global int *out, global const int *in, local int *tile, int n) {
  int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  int lx = get_local_size(0), row = z * (int)get_local_size(1) + y;
  int rows = get_local_size(1) * get_local_size(2);
  tile[row * lx + x] = (int)get_global_id(0) < n ? in[get_global_id(0)] + row : -row;
  barrier(CLK_LOCAL_MEM_FENCE);
  int group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
  if (x == 0) {
    int sum = 0;
    for (int k = 0; k < lx; ++k)
      sum += tile[row * lx + k];
    out[group * rows + row] = sum;
  }
}
