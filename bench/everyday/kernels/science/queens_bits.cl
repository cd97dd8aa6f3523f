//: global 1024
//: local 64
//: arg np.zeros(1024, np.uint32)
// Queens on 10 x 10 below three rows that the id places.
#define N 10
__kernel void queens(__global uint *counts) {
  uint id = get_global_id(0);
  uint c0 = id % N, c1 = id / N % N, c2 = id / N / N;
  uint mask = (1u << N) - 1;
  counts[id] = 0;
  if (c2 >= N) return;
  uint cols = 0, left = 0, right = 0;
  uint first[3] = {c0, c1, c2};
  for (int r = 0; r < 3; r++) {
    uint bit = 1u << first[r];
    if ((cols | left | right) & bit) return;
    cols |= bit;
    left = (left | bit) << 1;
    right = (right | bit) >> 1;
  }
  uint sc[N], sl[N], sr[N], avail[N];
  int d = 0;
  sc[0] = cols; sl[0] = left; sr[0] = right;
  avail[0] = mask & ~(cols | left | right);
  uint found = 0;
  while (d >= 0) {
    if (avail[d] == 0) { d--; continue; }
    uint bit = avail[d] & -avail[d];
    avail[d] ^= bit;
    uint c = sc[d] | bit, l = (sl[d] | bit) << 1, r = (sr[d] | bit) >> 1;
    if (c == mask) { found++; continue; }
    d++;
    sc[d] = c; sl[d] = l; sr[d] = r;
    avail[d] = mask & ~(c | l | r);
  }
  counts[id] = found;
}
