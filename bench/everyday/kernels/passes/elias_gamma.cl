//: global 65536
//: local 128
//: data bits = r.integers(1, 4000, 65536).astype(np.uint32)
//: arg bits
//: arg np.zeros(65536, np.uint32)
//: arg np.zeros(65536, np.uint8)
//: arg np.uint32(65536)
// Elias gamma codes, each in a word of its own.
kernel void elias_gamma(__global const uint *values, __global uint *codes, __global uchar *lengths, uint n) {
  uint i = get_global_id(0);
  if (i >= n) return;
  uint v = values[i];
  uint bits = 0;
  while ((v >> bits) > 1) bits++;
  uint code = 0;
  for (uint k = 0; k < bits; k++) code <<= 1;
  for (int k = bits; k >= 0; k--) code = (code << 1) | ((v >> k) & 1);
  codes[i] = code;
  lengths[i] = 2 * bits + 1;
}
