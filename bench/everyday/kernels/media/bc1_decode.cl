//: global 128 128
//: local 8 8
//: arg r.integers(0, 1 << 32, (128 * 128, 2), np.uint32).view([("c0", "u2"), ("c1", "u2"), ("bits", "u4")])
//: arg np.zeros((512 * 512, 4), np.uint8)
typedef struct { ushort c0, c1; uint bits; } Block;
uchar4 rgb565(ushort c) {
  uint r = c >> 11, g = (c >> 5) & 63, b = c & 31;
  return (uchar4)((r << 3) | (r >> 2), (g << 2) | (g >> 4), (b << 3) | (b >> 2), 255);
}
__kernel void decode_bc1(__global const Block *blocks, __global uchar4 *out) {
  int bx = get_global_id(0), by = get_global_id(1), nb = get_global_size(0);
  Block b = blocks[by * nb + bx];
  uchar4 table[4];
  table[0] = rgb565(b.c0);
  table[1] = rgb565(b.c1);
  if (b.c0 > b.c1) {
    table[2] = convert_uchar4((convert_ushort4(table[0]) * (ushort)2 + convert_ushort4(table[1])) / (ushort)3);
    table[3] = convert_uchar4((convert_ushort4(table[0]) + convert_ushort4(table[1]) * (ushort)2) / (ushort)3);
  } else {
    table[2] = convert_uchar4((convert_ushort4(table[0]) + convert_ushort4(table[1])) / (ushort)2);
    table[3] = (uchar4)(0);
  }
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) {
      out[(by * 4 + y) * nb * 4 + bx * 4 + x] = table[b.bits & 3];
      b.bits >>= 2;
    }
}
