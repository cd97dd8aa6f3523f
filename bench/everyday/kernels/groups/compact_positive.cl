//: global 524288
//: local 256
//: arg r.integers(-100, 100, 1 << 19, np.int32)
//: arg np.zeros(1 << 19, np.int32)
//: arg np.zeros(2048, np.int32)
// Each group moves its positive elements to the front of its block.
__kernel void compact_block(__global const int *src, __global int *dst, __global int *counts) {
  __local int pos[257];
  uint lid = get_local_id(0), gid = get_global_id(0);
  int x = src[gid];
  int keep = x > 0;
  pos[lid + 1] = keep;
  if (lid == 0) pos[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint off = 1; off < 256; off <<= 1) {
    int t = lid + 1 > off ? pos[lid + 1 - off] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    pos[lid + 1] += t;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (keep) dst[get_group_id(0) * 256 + pos[lid]] = x;
  if (lid == 255) counts[get_group_id(0)] = pos[256];
}
