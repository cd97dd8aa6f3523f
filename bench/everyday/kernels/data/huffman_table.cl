//: global 2048
//: local 64
//: arg r.integers(0, 256, 2048 * 128, np.uint8)
//: arg (r.integers(1, 9, 256) | r.integers(0, 200, 256) << 8).astype(np.uint16)
//: arg np.zeros(2048 * 96, np.uint8)
// Decodes 96 symbols from each block: a table says the symbol and the length by the next eight bits.
kernel void huffman(global const uchar *stream, constant ushort *table, global uchar *out) {
  uint id = get_global_id(0);
  global const uchar *src = stream + id * 128;
  uint acc = 0;
  int have = 0, at = 0;
  for (int i = 0; i < 96; i++) {
    while (have < 8) {
      acc = (acc << 8) | src[at];
      at++;
      have += 8;
    }
    ushort e = table[(acc >> (have - 8)) & 0xff];
    have -= e & 0xff;
    out[id * 96 + i] = e >> 8;
  }
}
