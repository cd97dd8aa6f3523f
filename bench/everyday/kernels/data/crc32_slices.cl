//: global 8192
//: local 64
//: arg r.integers(0, 1 << 32, 64 * 8192, np.uint32)
//: arg r.integers(0, 1 << 32, 4 * 256, np.uint32)
//: arg np.zeros(8192, np.uint32)
//: arg np.uint32(64)
// CRC-32 of blocks of 256 bytes by four tables.
kernel void crc32(global const uint *data, global const uint *table, global uint *crcs, uint words) {
  uint id = get_global_id(0);
  global const uint *p = data + id * words;
  uint crc = ~0u;
  for (uint n = 0; n < words; n++) {
    uint one = *p++ ^ crc;
    crc = table[one >> 24] ^ table[256 + ((one >> 16) & 0xFF)] ^ table[512 + ((one >> 8) & 0xFF)] ^ table[768 + (one & 0xFF)];
  }
  crcs[id] = ~crc;
}
