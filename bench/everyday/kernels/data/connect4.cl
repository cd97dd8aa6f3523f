//: global 65536
//: local 256
//: arg r.integers(0, 1 << 49, 65536, np.uint64) & r.integers(0, 1 << 49, 65536, np.uint64)
//: arg r.integers(0, 1 << 49, 65536, np.uint64)
//: arg np.zeros(65536, np.int32)
// For each position: won already, or how many columns win at once.
bool won(ulong b) {
  ulong y = b & (b >> 6);
  if (y & (y >> 12)) return true;
  y = b & (b >> 7);
  if (y & (y >> 14)) return true;
  y = b & (b >> 8);
  if (y & (y >> 16)) return true;
  y = b & (b >> 1);
  return (y & (y >> 2)) != 0;
}

kernel void wins(global const ulong *mine, global const ulong *all, global int *score) {
  size_t i = get_global_id(0);
  ulong me = mine[i], taken = all[i] | me;
  if (won(me)) {
    score[i] = -1;
    return;
  }
  int n = 0;
  for (int col = 0; col < 7; col++) {
    ulong column = 0x3fUL << (col * 7);
    ulong move = (taken + (1UL << (col * 7))) & column & ~taken;
    if (move && won(me | move)) n++;
  }
  score[i] = n;
}
