//: global 8192
//: local 64
//: arg r.integers(0, 1 << 63, 8 * 8192, np.uint64)
//: arg np.zeros(8 * 8192, np.uint64)
// Transposes 8 x 8 bits in each of 8 words, and stores bytes of the words together.
ulong transpose8(ulong x) {
  ulong t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAUL;
  x = x ^ t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCUL;
  x = x ^ t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0UL;
  return x ^ t ^ (t << 28);
}

kernel void transpose(global const ulong *in, global ulong *out) {
  const uint id = get_global_id(0);
  ulong r[8];
  for (int i = 0; i < 8; i++) r[i] = transpose8(in[id * 8 + i]);
  for (int b = 0; b < 8; b++) {
    ulong w = 0;
    for (int i = 0; i < 8; i++) w |= ((r[i] >> (8 * b)) & 0xff) << (8 * i);
    out[id * 8 + b] = w;
  }
}
