//: global 4096
//: local 64
//: data T = r.integers(0, 4, 65536).astype(np.uint8)
//: data Q = np.where(r.random(65536) < 0.4, r.integers(0, 4, 65536), T).astype(np.uint8)
//: arg T
//: arg Q
//: arg r.integers(0, 65000, 4096).astype(np.int32)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(65536)
//: arg np.int32(12)
// Extends hits to the right until the score falls by more than X.
__kernel void xdrop(__global const uchar *subject, __global const uchar *query, __global const int *hits, __global int *scores, int len, int X) {
  int tid = get_global_id(0);
  int pos = hits[tid];
  int score = 0, best = 0;
  while (pos < len) {
    score += subject[pos] == query[pos] ? 1 : -3;
    if (score > best) best = score;
    if (best - score > X) break;
    pos++;
  }
  scores[tid] = best;
}
