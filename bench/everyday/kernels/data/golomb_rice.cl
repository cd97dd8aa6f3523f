//: global 4096
//: local 64
//: arg r.integers(0, 1 << 32, 4096 * 16, np.uint32) | 0x11111111
//: arg np.zeros((4096, 32), np.int32)
//: arg np.int32(2)
// Decodes 32 numbers of Rice codes from a row of 512 bits: a quotient in ones, a zero, k bits.
typedef struct {
  __global const uint *words;
  int pos;
} BitReader;

int next_bit(BitReader *r) {
  int bit = (r->words[(r->pos >> 5) & 15] >> (r->pos & 31)) & 1;
  r->pos++;
  return bit;
}

__kernel void rice(__global const uint *bits, __global int *out, int k) {
  int row = get_global_id(0);
  BitReader r;
  r.words = bits + row * 16;
  r.pos = 0;
  for (int i = 0; i < 32; i++) {
    int q = 0;
    while (q < 20 && next_bit(&r)) q++;
    int rest = 0;
    for (int b = 0; b < k; b++) rest = rest << 1 | next_bit(&r);
    int v = (q << k) + rest;
    out[row * 32 + i] = (v >> 1) ^ -(v & 1);
  }
}
