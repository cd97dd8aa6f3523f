kernel void f(global int *out, global const int *in, int n) {
  size_t g = get_group_id(0), l = get_local_id(0), size = get_local_size(0);
  size_t i = (g + get_num_groups(0) * get_group_id(1)) * size + l;
  out[i * get_local_size(1) + get_local_id(1)] = in[min((int)l, n)] + in[max((int)(size - 1 - l), n)];
  if (l + 1 == size)
    out[i * get_local_size(1) + get_local_id(1)] += 100;
}
