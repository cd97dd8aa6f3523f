//: global 1048576
//: local 256
//: arg r.random(1 << 20, np.float32)
//: arg np.zeros(65536, np.float32)
// Sums of 16 neighbours each, a tree in each part of a group.
__kernel void segment_sums(__global const float *v, __global float *sums) {
  __local float part[256];
  uint l = get_local_id(0);
  part[l] = v[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 8; d > 0; d >>= 1) {
    if ((l & 15) < d) part[l] += part[l + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if ((l & 15) == 0) sums[get_global_id(0) / 16] = part[l];
}
