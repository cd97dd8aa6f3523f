//: global 4096
//: local 64
//: arg r.integers(0, 3, 262144, np.uint8)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(64)
// Skips each run to its end.
kernel void count_runs(global const uchar *data, global int *runs, int m) {
  size_t row = get_global_id(0);
  int n = 0, i = 0;
  while (i < m) {
    uchar v = data[row * m + i];
    while (i < m && data[row * m + i] == v) i++;
    n++;
  }
  runs[row] = n;
}
