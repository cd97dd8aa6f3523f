//: global 65536
//: local 256
//: arg r.integers(0, 25, 65536, np.uint8)
//: arg r.integers(0, 1000, 65536, np.int32)
//: arg np.zeros(32 * 256, np.int32)
//: arg np.zeros(32 * 256, np.int32)
// Counts and sums of each group of rows by a key of at most 32 values.
__kernel void group_by(__global const uchar *key, __global const int *value, __global int *counts, __global int *sums) {
  __local int count[32], sum[32];
  const int lid = get_local_id(0);
  if (lid < 32) {
    count[lid] = 0;
    sum[lid] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int k = key[get_global_id(0)];
  atomic_inc(&count[k]);
  atomic_add(&sum[k], value[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid < 32) {
    counts[get_group_id(0) * 32 + lid] = count[lid];
    sums[get_group_id(0) * 32 + lid] = sum[lid];
  }
}
