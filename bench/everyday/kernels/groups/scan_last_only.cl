//: global 524288
//: local 256
//: arg r.integers(0, 9, 1 << 19, np.int32)
//: arg np.zeros(2048, np.int32)
// Scans, though only the sum is wanted.
__kernel void block_totals(__global const int *x, __global int *total) {
  __local int buf[256];
  int i = get_local_id(0);
  buf[i] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 1; k < get_local_size(0); k <<= 1) {
    int v = buf[i];
    if (i >= k) v += buf[i - k];
    barrier(CLK_LOCAL_MEM_FENCE);
    buf[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == get_local_size(0) - 1) total[get_group_id(0)] = buf[i];
}
