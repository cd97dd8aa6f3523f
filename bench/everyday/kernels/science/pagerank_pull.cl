//: global 16384
//: local 64
//: data L = r.zipf(1.8, 16384).clip(1, 200)
//: data R = np.concatenate([[0], np.cumsum(L)]).astype(np.int32)
//: arg R
//: arg r.integers(0, 16384, int(R[-1])).astype(np.int32)
//: arg r.random(16384, dtype=np.float32)
//: arg r.integers(1, 20, 16384).astype(np.int32)
//: arg np.zeros(16384, np.float32)
//: arg np.float32(0.85)
// A step of PageRank over the links that come in.
kernel void pagerank(global const int *in_off, global const int *src, global const float *rank, global const int *outdeg,
                     global float *next, float damping) {
  int v = get_global_id(0), n = get_global_size(0);
  float sum = 0;
  int e = in_off[v];
  const int end = in_off[v + 1];
  for (; e < end; e++) {
    int u = src[e];
    sum += rank[u] / outdeg[u];
  }
  next[v] = (1.0f - damping) / n + damping * sum;
}
