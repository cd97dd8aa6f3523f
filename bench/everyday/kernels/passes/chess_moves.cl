//: global 16384
//: local 64
//: arg r.integers(0, 1 << 62, 16384).astype(np.uint64) & r.integers(0, 1 << 62, 16384).astype(np.uint64)
//: arg r.integers(0, 1 << 62, 16384).astype(np.uint64) & r.integers(0, 1 << 62, 16384).astype(np.uint64)
//: arg np.zeros(16384, np.int32)
// How many squares the rooks of each board reach.
kernel void chess_moves(global const ulong *own, global const ulong *other, global int *count) {
  size_t i = get_global_id(0);
  ulong mine = own[i], theirs = other[i] & ~mine;
  ulong rooks = mine & 0x8100000000000081UL;
  ulong all = mine | theirs;
  int moves = 0;
  for (int square = 0; square < 64; square++) {
    if (!((rooks >> square) & 1)) continue;
    int file = square & 7, rank = square >> 3;
    for (int d = 0; d < 4; d++) {
      int dx = d == 0 ? 1 : d == 1 ? -1 : 0;
      int dy = d == 2 ? 1 : d == 3 ? -1 : 0;
      int f = file + dx, k = rank + dy;
      while (f >= 0 && f < 8 && k >= 0 && k < 8) {
        ulong bit = 1UL << (k * 8 + f);
        if (mine & bit) break;
        moves++;
        if (all & bit) break;
        f += dx;
        k += dy;
      }
    }
  }
  count[i] = moves;
}
