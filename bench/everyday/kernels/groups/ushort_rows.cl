//: global 65536
//: local 64
//: arg r.integers(0, 1000, 1024 * 320, np.uint16)
//: arg np.zeros(1024, np.uint32)
//: arg np.int32(320)
// Counters of 16 bits, as on a small device.
__kernel void row_checksum(__global const ushort *words, __global uint *sums, int len) {
  __local uint acc[64];
  ushort me = get_local_id(0);
  uint s = 0;
  for (ushort k = me; k < len; k += 64) s += words[get_group_id(0) * len + k] * (k + 1u);
  acc[me] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uchar d = 32; d; d >>= 1) {
    if (me < d) acc[me] += acc[me + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0) sums[get_group_id(0)] = acc[0];
}
