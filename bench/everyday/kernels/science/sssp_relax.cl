//: global 16384
//: local 128
//: data L = r.integers(0, 16, 16384)
//: data R = np.concatenate([[0], np.cumsum(L)]).astype(np.uint32)
//: arg R
//: arg r.integers(0, 16384, int(R[-1])).astype(np.uint32)
//: arg r.integers(1, 100, int(R[-1])).astype(np.uint32)
//: arg np.where(r.random(16384) < 0.5, r.integers(0, 1000, 16384), 0xFFFFFFFF).astype(np.uint32)
//: arg np.zeros(16384, np.uint32)
//: arg np.zeros(1, np.int32)
// A round of Bellman and Ford over the edges that enter each vertex.
#define INF 0xFFFFFFFFu
kernel void relax(global const uint *in_ptr, global const uint *from, global const uint *weight,
                  global const uint *dist, global uint *next, global int *changed) {
  const uint v = get_global_id(0);
  uint best = dist[v];
  const uint old = best;
  for (uint e = in_ptr[v]; e < in_ptr[v + 1]; e++) {
    uint d = dist[from[e]];
    if (d == INF) continue;
    d += weight[e];
    if (d < best) best = d;
  }
  next[v] = best;
  if (best != old) *changed = 1;
}
