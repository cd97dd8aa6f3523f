//: global 4096
//: local 64
//: arg r.integers(0, 3, 262144, np.uint8)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(64)
kernel void count_runs(global const uchar *data, global int *runs, int m) {
  int row = get_global_id(0), n = 0;
  uchar last = ~data[row * m];
  for (int i = 0; i < m; i++) {
    uchar v = data[row * m + i];
    if (v != last) { n++; last = v; }
  }
  runs[row] = n;
}
