//: global 262144
//: local 64
//: arg r.integers(0, 16, 1 << 20, np.int32)
//: arg r.integers(0, 16, 1 << 20, np.int32)
//: arg np.zeros(1, np.int32)
// A dot product: four elements each, a tree, and one atomic addition for each group.
__kernel void dot_product(__global const int4 *a, __global const int4 *b, __global int *result) {
  __local int partial[64];
  int gid = get_global_id(0);
  int lid = get_local_id(0);
  int4 p = a[gid] * b[gid];
  partial[lid] = p.x + p.y + p.z + p.w;
  barrier(CLK_LOCAL_MEM_FENCE);
  int stride = 32;
  while (stride != 0) {
    if (lid < stride) partial[lid] += partial[lid + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
    stride = stride >> 1;
  }
  if (lid == 0) atomic_add(result, partial[0]);
}
