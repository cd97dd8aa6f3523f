// The first and the last of the group and of all.
kernel void f(global int *out, global const int *in) {
  size_t x = get_global_id(0) - get_global_offset(0), l = get_local_id(0);
  int v = 0;
  if (x == get_global_size(0) - 1)
    v += 1;
  if (x != 0)
    v += in[x - 1] * 2;
  if (l == 0 || l + 1 == get_local_size(0))
    v += in[l];
  if (get_group_id(0) + 1 < get_num_groups(0))
    v += in[x + get_local_size(0)];
  out[x] = v;
}
