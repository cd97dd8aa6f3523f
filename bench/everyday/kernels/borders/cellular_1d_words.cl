//: global 65536
//: local 128
//: arg r.integers(0, 1 << 32, 65536, np.uint32)
//: arg np.zeros(65536, np.uint32)
//: arg np.uint32(65536)
//: arg np.uint32(110)
// Any elementary automaton on a ring, 32 cells in a word.
kernel void rule(global const uint *cells, global uint *next, uint n, uint number) {
  uint i = get_global_id(0);
  uint here = cells[i], before = cells[i == 0 ? n - 1 : i - 1], after = cells[i + 1 == n ? 0 : i + 1];
  uint l = (here >> 1) | (before << 31), r = (here << 1) | (after >> 31), out = 0;
  for (uint k = 0; k < 8; k++)
    if ((number >> k) & 1)
      out |= ((k & 4) ? l : ~l) & ((k & 2) ? here : ~here) & ((k & 1) ? r : ~r);
  next[i] = out;
}
