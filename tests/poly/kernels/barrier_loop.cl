// A sum over the group, in halves that need not be whole.
kernel void f(global int *out, global const int *in, local int *tile, int n) {
  int l = get_local_id(0), size = get_local_size(0);
  int g = get_global_id(0);
  tile[l] = g < n ? in[g] : 0;
  for (int width = (size + 1) / 2; size > 1; width = (width + 1) / 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l + width < size)
      tile[l] += tile[l + width];
    size = width;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    out[get_group_id(0)] = tile[0];
}
