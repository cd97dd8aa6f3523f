//: global 65536
//: local 256
//: arg r.integers(0, 1 << 30, 1 << 16, np.uint32)
// Bitonic sort of a tile of 256 keys.
__kernel void bitonic(__global uint *keys) {
  __local uint t[256];
  uint lid = get_local_id(0);
  t[lid] = keys[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 2; k <= get_local_size(0); k <<= 1) {
    for (uint j = k >> 1; j > 0; j >>= 1) {
      uint ixj = lid ^ j;
      if (ixj > lid) {
        uint a = t[lid], b = t[ixj];
        if ((lid & k) == 0 ? a > b : a < b) { t[lid] = b; t[ixj] = a; }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  keys[get_global_id(0)] = t[lid];
}
