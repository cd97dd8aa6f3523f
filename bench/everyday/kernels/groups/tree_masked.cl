//: global 1048576
//: local 128
//: arg r.integers(-5000, 5000, 1 << 20, np.int32)
//: arg np.zeros(8192, np.int32)
//: arg np.int32(1048576)
// Minimum of each group, by masks.
void keep_min(__local int *a, int at, int from) {
  if (a[from] < a[at]) a[at] = a[from];
}
__kernel void group_min(__global const int *a, __global int *least, int n) {
  __local int tile[128];
  int gid = get_global_id(0), l = get_local_id(0);
  tile[l] = gid < n ? a[gid] : INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 128; step <<= 1) {
    int mask = 2 * step - 1;
    if ((l & ~mask) == l) keep_min(tile, l, l + step);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (!l) least[get_group_id(0)] = tile[0];
}
