//: global 65536
//: local 128
//: arg r.integers(0, 1 << 63, 65536, np.uint64)
//: arg r.integers(0, 1 << 32, 8192, np.uint32) | r.integers(0, 1 << 32, 8192, np.uint32)
//: arg np.zeros(65536, np.uint8)
//: arg np.uint32(4)
// Whether all bits of k hashes of a key are set.
kernel void query(global const ulong *keys, global const uint *filter, global uchar *maybe, uint k) {
  size_t gid = get_global_id(0);
  ulong h = keys[gid];
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdUL;
  h ^= h >> 33;
  uint h1 = (uint)h, h2 = (uint)(h >> 32) | 1;
  bool in = true;
  for (uint i = 0; i < k && in; i++) {
    uint bit = (h1 + i * h2) & (8192 * 32 - 1);
    in = (filter[bit >> 5] >> (bit & 31)) & 1;
  }
  maybe[gid] = in;
}
