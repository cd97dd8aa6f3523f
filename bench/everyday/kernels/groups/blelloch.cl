//: global 262144
//: local 128
//: arg r.integers(0, 50, 1 << 19, np.uint32)
//: arg np.zeros(1 << 19, np.uint32)
//: arg np.zeros(2048, np.uint32)
// Work-efficient exclusive scan of 256 elements by 128 work-items.
__kernel void prescan(__global const uint *in, __global uint *out, __global uint *block_sums) {
  __local uint temp[256];
  const uint thid = get_local_id(0);
  const uint base = get_group_id(0) * 256;
  uint offset = 1;
  temp[2 * thid] = in[base + 2 * thid];
  temp[2 * thid + 1] = in[base + 2 * thid + 1];
  for (uint d = 256 >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thid < d) {
      uint ai = offset * (2 * thid + 1) - 1;
      uint bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thid == 0) {
    block_sums[get_group_id(0)] = temp[255];
    temp[255] = 0;
  }
  for (uint d = 1; d < 256; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thid < d) {
      uint ai = offset * (2 * thid + 1) - 1;
      uint bi = offset * (2 * thid + 2) - 1;
      uint t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + 2 * thid] = temp[2 * thid];
  out[base + 2 * thid + 1] = temp[2 * thid + 1];
}
