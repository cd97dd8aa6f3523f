//: global 16384
//: local 128
//: data L = r.integers(1, 14, 16384)
//: data R = np.concatenate([[0], np.cumsum(L)]).astype(np.int32)
//: arg R
//: arg r.integers(0, 16384, int(R[-1])).astype(np.int32)
//: arg r.permutation(16384).astype(np.uint32)
//: arg np.where(r.random(16384) < 0.5, r.integers(0, 10, 16384), -1).astype(np.int32)
//: arg np.zeros(16384, np.int32)
// Jones and Plassmann: a vertex whose neighbours without colour all have less priority takes the first free colour.
kernel void jp_color(global const int *ptr, global const int *nbr, global const uint *prio, global const int *color, global int *out) {
  int v = get_global_id(0);
  int mine = color[v];
  if (mine < 0) {
    ulong used = 0;
    bool local_max = true;
    uint p = prio[v];
    for (int k = ptr[v]; k < ptr[v + 1]; k++) {
      int u = nbr[k];
      int c = color[u];
      if (c >= 0) used |= 1UL << c;
      else if (u != v && prio[u] > p) { local_max = false; break; }
    }
    if (local_max) {
      int c = 0;
      while (used & 1) { used >>= 1; c++; }
      mine = c;
    }
  }
  out[v] = mine;
}
