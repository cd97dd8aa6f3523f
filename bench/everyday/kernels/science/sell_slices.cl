//: global 16384
//: local 32
//: data W = r.integers(2, 24, 512)
//: data S = np.concatenate([[0], np.cumsum(W * 32)]).astype(np.int64)
//: arg S
//: arg r.integers(0, 16384, int(S[-1])).astype(np.int32)
//: arg r.random(int(S[-1]))
//: arg r.random(16384)
//: arg np.zeros(16384)
// Sliced Ellpack, slices of 32 rows, offsets of 64 bits.
kernel void sell(global const long *slice, global const int *cols, global const double *vals,
                 global const double *x, global double *y) {
  size_t row = get_global_id(0);
  size_t s = row / 32, lane = row % 32;
  long at = slice[s] + lane;
  const long end = slice[s + 1];
  double sum = 0.0;
  while (at < end) {
    sum += vals[at] * x[cols[at]];
    at += 32;
  }
  y[row] = sum;
}
