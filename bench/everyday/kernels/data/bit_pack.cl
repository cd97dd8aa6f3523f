//: global 16384
//: local 64
//: arg r.integers(0, 1 << 11, 32 * 16384, np.uint32)
//: arg np.zeros(11 * 16384, np.uint32)
//: arg np.int32(11)
// Packs blocks of 32 numbers by so many bits each.
kernel void pack(global const uint *in, global uint *out, int bits) {
  size_t block = get_global_id(0);
  in += block * 32;
  out += block * bits;
  ulong buffer = 0;
  int filled = 0;
  for (int i = 0; i < 32; ++i) {
    buffer |= (ulong)in[i] << filled;
    filled += bits;
    if (filled >= 32) {
      *out++ = (uint)buffer;
      buffer >>= 32;
      filled -= 32;
    }
  }
}
