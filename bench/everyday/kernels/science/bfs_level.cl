//: global 32768
//: local 256
//: data R = np.arange(32769, dtype=np.int32) * 8
//: data L = np.where(r.random(32768) < 0.1, 3, np.where(r.random(32768) < 0.3, 2, -1)).astype(np.int32)
//: arg R
//: arg r.integers(0, 32768, 8 * 32768).astype(np.int32)
//: arg L
//: arg L.copy()
//: arg np.int32(3)
//: arg np.int32(32768)
// A level of a search, by those that are not reached yet.
kernel void bfs_pull(global const int *row, global const int *nbr, global const int *level, global int *next, int cur, int n) {
  int v = get_global_id(0);
  if (v >= n) return;
  if (level[v] != -1) return;
  for (int e = row[v]; e < row[v + 1]; ++e) {
    if (level[nbr[e]] == cur) {
      next[v] = cur + 1;
      break;
    }
  }
}
