//: global 1024
//: local 64
//: arg r.integers(0, 4, 1024 * 32, np.uint8)
//: arg r.integers(0, 4, 32, np.uint8)
//: arg np.zeros(1024, np.int32)
//: arg np.zeros(1024 * 33, np.int32)
// The best local alignment of each read with one sequence; a row of scores in global memory.
__kernel void align(__global const uchar *reads, __global const uchar *ref, __global int *score, __global int *scratch) {
  int id = get_global_id(0), total = get_global_size(0);
  for (int j = 0; j <= 32; j++) scratch[j * total + id] = 0;
  int best = 0;
  for (int i = 0; i < 32; i++) {
    int diag = 0, left = 0;
    uchar c = reads[id * 32 + i];
    for (int j = 1; j <= 32; j++) {
      int up = scratch[j * total + id];
      int h = max(0, diag + (c == ref[j - 1] ? 2 : -1));
      h = max(h, max(up - 1, left - 1));
      scratch[j * total + id] = h;
      diag = up;
      left = h;
      best = max(best, h);
    }
  }
  score[id] = best;
}
