// Two regions; local memory has a border on both sides.
kernel void f(global int *out, global const int *in, local int *tile, int n, int r) {
  int l = get_local_id(0), g = get_global_id(0), size = get_local_size(0);
  tile[l + r] = g < n ? in[g] : 7;
  if (l < r) {
    tile[l] = g >= r ? in[g - r] : 0;
    tile[size + l + r] = g + size < n ? in[g + size] : -1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = -r; k <= r; ++k)
    sum += tile[l + r + k];
  if (g < n)
    out[g] = sum;
}
