//: global 262144
//: local 256
//: arg r.integers(0, 1 << 32, 262144 * 13 // 32 + 1, np.uint32)
//: arg np.zeros(262144, np.uint32)
//: arg np.uint32(13)
//: arg np.uint32(1000)
// A number of so many bits at its place in a stream, above a base.
__kernel void unpack(__global const uint *packed, __global uint *out, uint bits, uint base) {
  uint i = get_global_id(0);
  uint at = i * bits;
  uint word = at / 32, off = at % 32;
  uint v = packed[word] >> off;
  if (off + bits > 32) v |= packed[word + 1] << (32 - off);
  out[i] = base + (v & ((1u << bits) - 1));
}
