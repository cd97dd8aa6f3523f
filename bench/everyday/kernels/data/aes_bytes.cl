//: global 4096
//: local 64
//: arg r.integers(0, 256, 16 * 4096, np.uint8)
//: arg r.integers(0, 256, 176, np.uint8)
//: arg r.permutation(256).astype(np.uint8)
// The textbook's AES: a state of 4 x 4 bytes, SubBytes, ShiftRows, MixColumns, AddRoundKey.
uchar xtime(uchar x) { return (x << 1) ^ ((x >> 7) * 0x1b); }

void add_round_key(uchar *s, __global const uchar *k) {
  for (int i = 0; i < 16; i++) s[i] ^= k[i];
}

void sub_bytes(uchar *s, __global const uchar *box) {
  for (int i = 0; i < 16; i++) s[i] = box[s[i]];
}

void shift_rows(uchar *s) {
  uchar t[16];
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++) t[4 * c + r] = s[4 * ((c + r) % 4) + r];
  for (int i = 0; i < 16; i++) s[i] = t[i];
}

void mix_columns(uchar *s) {
  for (int c = 0; c < 4; c++) {
    uchar *p = s + 4 * c;
    uchar all = p[0] ^ p[1] ^ p[2] ^ p[3], first = p[0];
    p[0] ^= all ^ xtime(p[0] ^ p[1]);
    p[1] ^= all ^ xtime(p[1] ^ p[2]);
    p[2] ^= all ^ xtime(p[2] ^ p[3]);
    p[3] ^= all ^ xtime(p[3] ^ first);
  }
}

__kernel void aes(__global uchar *data, __global const uchar *keys, __global const uchar *box) {
  uint id = get_global_id(0);
  uchar s[16];
  for (int i = 0; i < 16; i++) s[i] = data[16 * id + i];
  add_round_key(s, keys);
  for (int round = 1; round < 10; round++) {
    sub_bytes(s, box);
    shift_rows(s);
    mix_columns(s);
    add_round_key(s, keys + 16 * round);
  }
  sub_bytes(s, box);
  shift_rows(s);
  add_round_key(s, keys + 160);
  for (int i = 0; i < 16; i++) data[16 * id + i] = s[i];
}
