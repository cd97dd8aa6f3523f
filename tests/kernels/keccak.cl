// Rounds over a state of 25 words in a private array: all indices are known once the loops inside of a round are
// unrolled, of which most operations are accesses of the array.
// LAUNCH: global=16 local=8 args: states=bits:u64:400 keys=bits:u64:3 rounds=3
// LAUNCH: global=4 local=1 args: states=bits:u64:100 keys=bits:u64:1 rounds=0
constant int turns[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
constant int places[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};

kernel void keccak(global ulong *states, global const ulong *keys, int rounds) {
  global ulong *own = states + 25 * get_global_id(0);
  ulong s[25], c[5];
  for (int i = 0; i < 25; i++) s[i] = own[i];
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < 5; i++) c[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
    for (int i = 0; i < 5; i++) {
      ulong t = c[(i + 4) % 5] ^ rotate(c[(i + 1) % 5], 1ul);
      for (int j = 0; j < 25; j += 5) s[j + i] ^= t;
    }
    ulong t = s[1];
    for (int i = 0; i < 24; i++) {
      ulong next = s[places[i]];
      s[places[i]] = rotate(t, (ulong)turns[i]);
      t = next;
    }
    for (int j = 0; j < 25; j += 5) {
      for (int i = 0; i < 5; i++) c[i] = s[j + i];
      for (int i = 0; i < 5; i++) s[j + i] ^= ~c[(i + 1) % 5] & c[(i + 2) % 5];
    }
    s[0] ^= keys[r];
  }
  for (int i = 0; i < 25; i++) own[i] = s[i];
}
