//: global 65536
//: local 256
//: data start = np.arange(65537, dtype=np.int32) * 6
//: arg start
//: arg r.integers(0, 65536, 65536 * 6, np.int32)
//: arg np.repeat((r.random(256) < 0.3).astype(np.int32), 256)
//: arg (r.random(65536) < 0.5).astype(np.int32)
//: arg np.zeros(65536, np.int32)
//: arg np.int32(65536)
// The first step of such a search: each vertex of the frontier marks its neighbours.
kernel void expand(global const int *start, global const int *edges, global const int *frontier,
                   global const int *visited, global int *found, int n) {
  int v = get_global_id(0);
  if (v >= n || !frontier[v]) return;
  for (int e = start[v]; e < start[v + 1]; e++) {
    int to = edges[e];
    if (!visited[to]) found[to] = 1;
  }
}
